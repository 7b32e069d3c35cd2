"""What operators look at: the metrics that exist, alerts on them for Prometheus, dashboards of them for Grafana."""
