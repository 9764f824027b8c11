"""What attention heads compute: tensors and text, never HTTP."""
