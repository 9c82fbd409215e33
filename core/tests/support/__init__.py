"""What tests share: factories, forged files, servers, random input. No test stands here."""
