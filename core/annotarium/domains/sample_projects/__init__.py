"""A ready project to try the product with: film biographies, a trained model, suggestions."""
