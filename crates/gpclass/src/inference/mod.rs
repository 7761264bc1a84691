//! inference
