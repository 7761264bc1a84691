"""Problems: data sets from files, and generated ones."""
