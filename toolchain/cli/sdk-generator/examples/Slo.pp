resource onCall "pipestack:index:Webhook" {
	service = "generic"
	url = "https://hooks.example.com/team"
}

resource checkout "pipestack:index:Slo" {
	objective = 99.9
	sourceId = "65f1c0a2b3d4e5f607182930"
	total = "ServiceName = 'checkout' AND SpanKind = 'Server'"
	good = "StatusCode != 'Error'"
	page = {
		channel = {
			type = "webhook"
			webhookId = onCall.id
		}
	}
	ticket = {
		enabled = false
	}
	runbook = "Look at the last release first."
}
