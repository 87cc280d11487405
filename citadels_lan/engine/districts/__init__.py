"""The unique districts, by the moment they matter; what stands on their cards is the edition's."""
