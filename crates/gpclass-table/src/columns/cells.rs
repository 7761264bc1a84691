//! A column as it stands in the file, before anyone decided what it means.

/// The cells of one column. Text files have text only.
#[cfg_attr(not(feature = "parquet"), allow(dead_code))]
#[derive(Clone, Debug, PartialEq)]
pub enum Cells {
    Text(TextCells),
    /// NaN marks a missing value.
    Floats(Vec<f64>),
    /// Wide enough for every signed and unsigned integer that a file can hold.
    Integers(Vec<Option<i128>>),
    /// Days since 1970, NaN where missing.
    Dates(Vec<f64>),
    /// The same for a column of moments, which are numbers as seconds.
    Moments(Vec<f64>),
}

impl Cells {
    /// Rows.
    #[cfg(feature = "parquet")]
    pub fn len(&self) -> usize {
        match self {
            Cells::Text(text) => text.len(),
            Cells::Floats(values) | Cells::Dates(values) | Cells::Moments(values) => values.len(),
            Cells::Integers(values) => values.len(),
        }
    }

    /// Memory taken by the cells, in bytes.
    pub fn bytes(&self) -> usize {
        match self {
            Cells::Text(text) => text.bytes(),
            Cells::Floats(values) | Cells::Dates(values) | Cells::Moments(values) => {
                std::mem::size_of_val(values.as_slice())
            }
            Cells::Integers(values) => std::mem::size_of_val(values.as_slice()),
        }
    }
}

/// Strings in one buffer: a third of the memory of a `Vec<String>` for short cells. An empty cell is a missing one.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TextCells {
    buffer: String,
    ends: Vec<usize>,
}

impl TextCells {
    pub fn push(&mut self, cell: &str) {
        self.buffer.push_str(cell);
        self.ends.push(self.buffer.len());
    }

    pub fn len(&self) -> usize {
        self.ends.len()
    }

    pub fn get(&self, row: usize) -> &str {
        let start = if row == 0 { 0 } else { self.ends[row - 1] };
        &self.buffer[start..self.ends[row]]
    }

    pub fn iter(&self) -> impl Iterator<Item = &str> {
        (0..self.len()).map(|row| self.get(row))
    }

    /// Memory taken, in bytes.
    pub fn bytes(&self) -> usize {
        self.buffer.len() + std::mem::size_of_val(self.ends.as_slice())
    }
}

/// Some rows of some columns, with the line (or row) number of each row.
#[derive(Clone, Debug)]
pub struct CellBlock {
    pub columns: Vec<Cells>,
    pub lines: Vec<u64>,
}

impl CellBlock {
    /// Memory taken by the cells and line numbers, in bytes.
    pub fn bytes(&self) -> usize {
        std::mem::size_of_val(self.lines.as_slice()) + self.columns.iter().map(Cells::bytes).sum::<usize>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_cells_keep_their_borders() {
        let mut a = TextCells::default();
        a.push("one");
        a.push("");
        a.push("zwei");
        assert_eq!(a.iter().collect::<Vec<_>>(), ["one", "", "zwei"]);
        assert_eq!(Cells::Text(a).bytes(), 7 + 3 * 8);
    }
}
