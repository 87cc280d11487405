"""Verification: `verify.verify(paths)` makes a `model.Report`, which `report_text` tells to people and
`report_json` to programs."""
