"""Verification: `verify.verify(paths)` returns a `model.Report`. `report_text` writes it for people and for
programs."""
