"""The characters, one module each; what stands on their cards is the edition's."""
