"""What cuts, kills and floods do to real tables: see the modules."""
