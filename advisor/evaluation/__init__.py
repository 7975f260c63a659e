"""The accuracy of the model on groups that were held out whole; pure, like the model itself."""
