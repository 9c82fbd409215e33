"""The search engine on an OpenSearch server. Chosen by OPENSEARCH_URL; needs the extra `opensearch`."""
