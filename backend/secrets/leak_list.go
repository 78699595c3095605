package secrets

// leakWords are the words of which a text must hold one before the second layer
// looks at it, sorted. A test compares them with the rules.
var leakWords = []string{
	"-----begin", "4b1d", "<add key=", "_gitlab_session=", "_mmk", "a3-", "a3t", "abia", "absk", "acca", "adafruit",
	"age-secret-key-1", "airtable", "aiza", "akcp", "akia", "algolia", "alibaba", "api-", "api_org_", "artifactory", "asana",
	"asia", "atatt3", "atlassian", "atlasv1", "authress_", "beamer", "bedrock-api-key-", "bintray", "bitbucket", "bittrex",
	"clojars_", "cloudflare", "cmvmd", "co_api_key", "codecov", "cohere", "coinbase", "confluence", "confluent", "contentful",
	"curl", "dapi", "datadog", "discord", "dnkey", "doo_v1_", "dop_v1_", "dor_v1_", "dp.pt.", "droneci", "dropbox", "dt0c01.",
	"duffel_", "eaaa", "eaac", "eaam", "enterprise.contribsys.com", "etsy", "ext_", "eyjrijoi", "ezak", "eztk", "facebook",
	"fastly", "finicity", "finnhub", "fio-u-", "flickr", "flwseck_test", "fm1", "fm2_", "fo1_", "freshbooks", "gems.contribsys.com",
	"gho_", "ghp_", "ghr_", "ghs_", "ghu_", "github_pat_", "gitter", "glagent-", "glc_", "glcbt-", "gldt-", "glffct-", "glft-",
	"glimt-", "gloas-", "glpat-", "glptt-", "glrt-", "glsa_", "glsoat-", "gocardless", "gr1348941", "heroku", "hf_",
	"hooks.slack.com", "hrku-aa", "hubspot", "hvb.", "hvs.", "ico-", "incomingwebhook", "intercom", "intra", "jfrog", "jira",
	"kind:", "kraken", "kucoin", "launchdarkly", "lin_api_", "linear", "linked-in", "linked_in", "linkedin", "live_", "looker",
	"mailchimp", "mailgun", "mapbox", "mattermost", "meraki", "message-bird", "message_bird", "messagebird", "netlify",
	"new-york-times", "newyorktimes", "npm_", "nrak", "nrii-", "nrjs-", "ntn_", "nytimes", "okta", "ops_", "p8e-", "pat.", "plaid",
	"pmak-", "pnu_", "pplx-", "private-ai", "private_ai", "privateai", "pscale_oauth_", "pscale_pw_", "pscale_tkn_", "pul-",
	"pypi-ageichlwas5vcmc", "rapidapi", "rdme_", "rk_live", "rk_prod", "rk_test", "rubygems_", "s-s4t2af-", "s-s4t2ud-", "sat.",
	"sc_", "scauth_", "secret_key", "sendbird", "sentry", "sg.", "sgp_", "sha256~", "shippo_", "shpat_", "shpca_", "shppa_",
	"shpss_", "sk-ant-admin01", "sk-ant-api03", "sk_live", "sk_prod", "sk_test", "sm_aat", "sm_pat", "sm_sat", "sntrys_eyjpyxqio",
	"sntryu_", "snyk", "sonar", "sq0atp-", "squarespace", "sumo", "t3blbkfj", "telegr", "test_", "tfp_", "tk-us-", "travis",
	"twitch", "twitter", "v1.0-", "webhook.office.com", "webhookb2", "xapp", "xkeysib-", "xoxa", "xoxb", "xoxe-", "xoxe.xoxb-",
	"xoxe.xoxp-", "xoxo", "xoxp-", "xoxr", "xoxs", "xray", "yandex", "zendesk", "zxlk",
}
