//! What the declared types of Parquet columns mean for a table of numbers and categories.

use crate::error::TableError;
use gpclass::data::ColumnKind;
use parquet::basic::{ConvertedType, LogicalType, TimeUnit, Type as Physical};
use parquet::schema::types::ColumnDescriptor;

/// How the stored values of a column are to be read.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ColumnType {
    /// Numbers as stored.
    Number,
    /// Integers whose top bit is not a sign.
    Unsigned,
    /// Integers to be divided by 10^scale.
    Decimal {
        scale: i32,
    },
    /// Sixteen-bit floating point.
    HalfFloat,
    /// Seconds since midnight, after division by `per_unit`.
    Time {
        per_unit: f64,
    },
    /// Days since 1970.
    Date,
    /// Moments since 1970, counted in units of so many nanoseconds.
    Moment {
        nanoseconds: i64,
    },
    Text,
    Bool,
}

impl ColumnType {
    /// What cells of this type are.
    pub fn kind(self) -> ColumnKind {
        match self {
            ColumnType::Text | ColumnType::Bool => ColumnKind::Discrete,
            ColumnType::Date | ColumnType::Moment { .. } => ColumnKind::Date,
            ColumnType::Number
            | ColumnType::Unsigned
            | ColumnType::Decimal { .. }
            | ColumnType::HalfFloat
            | ColumnType::Time { .. } => ColumnKind::Continuous,
        }
    }
}

/// The reading of a flat column; nested ones are errors.
pub fn column_type(column: &ColumnDescriptor, file: &str) -> Result<ColumnType, TableError> {
    let nested = column.max_rep_level() > 0 || column.max_def_level() > 1 || column.path().parts().len() > 1;
    if nested {
        return Err(TableError::NestedParquet {
            file: file.to_owned(),
            column: column.path().parts().join("."),
            found: "nested values (a list, map or structure)",
        });
    }
    Ok(declared(column))
}

fn declared(column: &ColumnDescriptor) -> ColumnType {
    match column.logical_type_ref() {
        Some(LogicalType::Decimal(decimal)) => return ColumnType::Decimal { scale: decimal.scale },
        Some(LogicalType::Timestamp(time)) => return ColumnType::Moment { nanoseconds: nanoseconds(&time.unit) },
        Some(LogicalType::Date) => return ColumnType::Date,
        Some(LogicalType::Time(time)) => return ColumnType::Time { per_unit: 1e9 / nanoseconds(&time.unit) as f64 },
        Some(LogicalType::Integer(integer)) if !integer.is_signed => return ColumnType::Unsigned,
        Some(LogicalType::Float16) => return ColumnType::HalfFloat,
        _ => {}
    }
    match (column.converted_type(), column.physical_type()) {
        (ConvertedType::DECIMAL, _) => ColumnType::Decimal { scale: column.type_scale() },
        (ConvertedType::DATE, _) => ColumnType::Date,
        (ConvertedType::TIMESTAMP_MILLIS, _) => ColumnType::Moment { nanoseconds: 1_000_000 },
        (ConvertedType::TIMESTAMP_MICROS, _) => ColumnType::Moment { nanoseconds: 1_000 },
        (ConvertedType::TIME_MILLIS, _) => ColumnType::Time { per_unit: 1e3 },
        (ConvertedType::TIME_MICROS, _) => ColumnType::Time { per_unit: 1e6 },
        (_, Physical::INT96) => ColumnType::Moment { nanoseconds: 1 },
        (ConvertedType::UINT_8 | ConvertedType::UINT_16 | ConvertedType::UINT_32 | ConvertedType::UINT_64, _) => {
            ColumnType::Unsigned
        }
        (_, Physical::BOOLEAN) => ColumnType::Bool,
        (_, Physical::BYTE_ARRAY | Physical::FIXED_LEN_BYTE_ARRAY) => ColumnType::Text,
        _ => ColumnType::Number,
    }
}

fn nanoseconds(unit: &TimeUnit) -> i64 {
    match unit {
        TimeUnit::MILLIS => 1_000_000,
        TimeUnit::MICROS => 1_000,
        TimeUnit::NANOS => 1,
    }
}

/// A big-endian two's complement integer divided by 10^scale.
pub fn decimal(bytes: &[u8], scale: i32) -> f64 {
    let negative = bytes.first().is_some_and(|&b| b >= 0x80);
    let flip = if negative { 0xff } else { 0 };
    let magnitude = bytes.iter().fold(0.0, |sum, &b| sum * 256.0 + f64::from(b ^ flip));
    let value = if negative { -(magnitude + 1.0) } else { magnitude };
    value / 10f64.powi(scale)
}

/// The value of a little-endian IEEE 754 binary16 number.
pub fn half_float(bytes: &[u8]) -> f64 {
    let &[low, high] = bytes else { return f64::NAN };
    let bits = u16::from_le_bytes([low, high]);
    let (exponent, fraction) = (i32::from(bits >> 10 & 0x1f), f64::from(bits & 0x3ff) / 1024.0);
    let magnitude = match exponent {
        0 => fraction * 2f64.powi(-14),
        0x1f if fraction == 0.0 => f64::INFINITY,
        0x1f => f64::NAN,
        _ => (1.0 + fraction) * 2f64.powi(exponent - 15),
    };
    if bits & 0x8000 != 0 { -magnitude } else { magnitude }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals() {
        assert_eq!(decimal(&12345i64.to_be_bytes(), 2), 123.45);
        assert_eq!(decimal(&(-12345i64).to_be_bytes(), 2), -123.45);
        assert_eq!(decimal(&[0xff], 0), -1.0);
        assert_eq!(decimal(&[], 3), 0.0);
    }

    #[test]
    fn half_floats() {
        // IEEE 754 binary16 examples: 1, -2, greatest finite, least subnormal, infinity.
        for (bits, value) in
            [(0x3c00u16, 1.0), (0xc000, -2.0), (0x7bff, 65504.0), (1, 2f64.powi(-24)), (0x7c00, f64::INFINITY)]
        {
            assert_eq!(half_float(&bits.to_le_bytes()), value);
        }
        assert!(half_float(&0x7e00u16.to_le_bytes()).is_nan() && half_float(&[1]).is_nan());
    }
}
