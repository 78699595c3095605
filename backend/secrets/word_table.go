package secrets

// head is an English word that can be the head of a credential's name. tri is
// a rare sequence of it, off bytes after its beginning; for the shortest words
// it takes in what must follow.
type head struct {
	text, tri string
	off       uint8
}

var heads = []head{
	{"password", "ssw", 2},
	{"passwd", "ssw", 2},
	{"passcode", "ssc", 2},
	{"passphrase", "sph", 3},
	{"pass", "ss:", 2},
	{"pass", "ss=", 2},
	{"pass", `ss"`, 2},
	{"pass", "ss'", 2},
	{"pass", "ss>", 2},
	{"pwd", "pwd", 0},
	{"psw", "psw", 0},
	{"pw", "pw:", 0},
	{"pw", "pw=", 0},
	{"pw", "pw ", 0},
	{"pw", "pw\xef", 0}, // before a full-width colon
	{"pw", "pw\xe6", 0}, // before 是
	{"pin", "pin", 0},
	{"otp", "otp", 0},
	{"cvv", "cvv", 0},
	{"cvc", "cvc", 0},
	{"csc", "csc", 0},
	{"2fa", "2fa", 0},
	{"mfa", "mfa", 0},
	{"code", "cod", 0},
	{"key", "key", 0},
	{"token", "tok", 0},
	{"secret", "ecr", 1},
	{"credential", "cre", 0},
	{"creds", "cre", 0},
	{"combination", "mbi", 2},
	{"combo", "mbo", 2},
	{"login", "ogi", 1},
	{"jwt", "jwt", 0},
	{"auth", "th=", 2},
	{"auth", `th"`, 2},
	{"pat", "at=", 1},
	{"authorization", "riz", 5},
	{"cookie", "oki", 2},
	{"mnemonic", "mne", 0},
	{"phrase", "hra", 1},
	{"signature", "re=", 7},
	{"sig", "ig=", 1},
}

// closeWord is a credential word of a language that sets no spaces between
// words. off is where the character stands that wakes the rule.
type closeWord struct {
	text string
	off  uint8
	mark mark
	rule rule
}

// closeWords holds longer words before shorter ones that they end with.
var closeWords = []closeWord{
	// Chinese, simplified and traditional, with common misspellings.
	{"密码", 3, markPassword, ruleAny},
	{"密碼", 3, markPassword, ruleAny},
	{"通行码", 6, markPassword, ruleAny},
	{"通行碼", 6, markPassword, ruleAny},
	{"提取码", 6, markPassword, ruleAny},
	{"提取碼", 6, markPassword, ruleAny},
	{"门禁码", 6, markPassword, ruleCode},
	{"門禁碼", 6, markPassword, ruleCode},
	{"开门码", 6, markPassword, ruleCode},
	{"開門碼", 6, markPassword, ruleCode},
	{"口令", 3, markPassword, ruleAny},
	{"验证码", 6, markPassword, ruleCode},
	{"驗證碼", 6, markPassword, ruleCode},
	{"认证码", 6, markPassword, ruleCode},
	{"認證碼", 6, markPassword, ruleCode},
	{"校验码", 6, markPassword, ruleCode},
	{"校驗碼", 6, markPassword, ruleCode},
	{"确认码", 6, markPassword, ruleCode},
	{"確認碼", 6, markPassword, ruleCode},
	{"动态码", 6, markPassword, ruleCode},
	{"動態碼", 6, markPassword, ruleCode},
	{"短信码", 6, markPassword, ruleCode},
	{"簡訊碼", 6, markPassword, ruleCode},
	{"登录码", 6, markPassword, ruleCode},
	{"登入碼", 6, markPassword, ruleCode},
	{"恢复码", 6, markPassword, ruleCode},
	{"備用碼", 6, markPassword, ruleCode},
	{"备用码", 6, markPassword, ruleCode},
	{"配对码", 6, markPassword, ruleCode},
	{"配對碼", 6, markPassword, ruleCode},
	{"安全码", 6, markPassword, ruleCVV},
	{"安全碼", 6, markPassword, ruleCVV},
	{"激活码", 6, markAPIKey, ruleOpaque},
	{"密钥", 3, markAPIKey, ruleOpaque},
	{"秘钥", 3, markAPIKey, ruleOpaque},
	{"密鑰", 3, markAPIKey, ruleOpaque},
	{"金鑰", 3, markAPIKey, ruleOpaque},
	{"密匙", 3, markAPIKey, ruleOpaque},
	{"私钥", 3, markPrivateKey, ruleOpaque},
	{"私鑰", 3, markPrivateKey, ruleOpaque},
	{"令牌", 3, markToken, ruleOpaque},
	{"權杖", 3, markToken, ruleOpaque},
	{"身份证号", 6, markIdentity, ruleIdentity},
	{"身分證號", 6, markIdentity, ruleIdentity},
	{"身份證號", 6, markIdentity, ruleIdentity},
	{"身分證字號", 6, markIdentity, ruleIdentity},
	{"身份證字號", 6, markIdentity, ruleIdentity},
	{"护照号", 3, markIdentity, ruleIdentity},
	{"護照號", 3, markIdentity, ruleIdentity},
	{"助记词", 0, markPrivateKey, ruleMnemonic},
	{"助記詞", 0, markPrivateKey, ruleMnemonic},
	// Japanese.
	{"パスワード", 0, markPassword, ruleAny},
	{"パスコード", 0, markPassword, ruleAny},
	{"パスフレーズ", 0, markPassword, ruleAny},
	{"暗証番号", 3, markPassword, ruleCode},
	{"認証番号", 3, markPassword, ruleCode},
	{"認証コード", 6, markPassword, ruleCode},
	{"確認コード", 6, markPassword, ruleCode},
	{"セキュリティコード", 18, markPassword, ruleCVV},
	{"トークン", 0, markToken, ruleOpaque},
	{"シークレット", 0, markToken, ruleOpaque},
	{"シークレットキー", 0, markAPIKey, ruleOpaque},
	{"アクセスキー", 0, markAPIKey, ruleOpaque},
	{"秘密鍵", 6, markPrivateKey, ruleOpaque},
	{"APIキー", 0, markAPIKey, ruleOpaque},
	{"API キー", 0, markAPIKey, ruleOpaque},
	// Korean.
	{"비밀번호", 6, markPassword, ruleAny},
	{"비번", 3, markPassword, ruleAny},
	{"패스워드", 0, markPassword, ruleAny},
	{"암호", 0, markPassword, ruleAny},
	{"인증번호", 6, markPassword, ruleCode},
	{"인증코드", 3, markPassword, ruleCode},
	{"인증 코드", 3, markPassword, ruleCode},
	{"확인코드", 3, markPassword, ruleCode},
	{"보안코드", 3, markPassword, ruleCVV},
	{"토큰", 0, markToken, ruleOpaque},
	{"시크릿", 0, markToken, ruleOpaque},
	{"API 키", 0, markAPIKey, ruleOpaque},
	{"API키", 0, markAPIKey, ruleOpaque},
	{"액세스 키", 0, markAPIKey, ruleOpaque},
	{"비밀키", 6, markAPIKey, ruleOpaque},
	{"개인키", 6, markPrivateKey, ruleOpaque},
}
