package secrets

import "strings"

// Words before a number that say what it is, whatever its check digit says.
var (
	cardNames = []string{"银行卡", "銀行卡", "信用卡", "储蓄卡", "儲蓄卡", "借记卡", "卡号", "卡號", "银行账号", "银行帐号",
		"card number", "card no", "credit card", "debit card", "bank card", "カード番号", "카드번호", "카드 번호"}
	identityNames = []string{"身份证", "身份證", "身分證", "身份号码", "id number", "id card", "identity number", "identity card", "national id",
		"ssn", "social security", "social security number", "マイナンバー", "주민등록번호", "주민번호"}
	orderNames = []string{"订单", "訂單", "单号", "單號", "运单", "運單", "快递", "流水", "编号", "編號", "工单", "工單", "交易", "order",
		"ticket", "tracking", "invoice", "shipment", "parcel", "issue", "case", "reference", "ref", "transaction", "trace", "id", "timestamp", "isbn", "imei", "注文番号", "주문번호"}
)

// name is what the words before a number call it.
type name uint8

const (
	nameless name = iota
	namedCard
	namedIdentity
	namedOrder // an order or another thing that is numbered
)

// named says what the words before the number at text[at] call it.
func (m *masker) named(at int) name {
	if prev := runBackByte(m.text, at, ' '); isAt(m.text, prev-1, isDigit) {
		return nameless
	}
	end := m.nameEnd(at)
	for _, kind := range []struct {
		names []string
		name  name
	}{{identityNames, namedIdentity}, {cardNames, namedCard}, {orderNames, namedOrder}} {
		for _, n := range kind.names {
			if endsFold(m.text, end, n) {
				return kind.name
			}
		}
	}
	return nameless
}

// numberJoints stand between the name of a number and the number.
var numberJoints = []string{" ", ":", "：", "=", "#", "\"", "'", "(", "（", "*", "`", "是", "为", "為", " is", " no", " no.", " number", " num",
	"号码", "號碼", "号", "號", "_id", "_number", "_no", "number", "は", "는"}

// nameEnd steps from text[at] back over what may join a name to its number.
func (m *masker) nameEnd(at int) int {
	const most = 8 // joints between: "card number is: #"
	for range most {
		before := at
		for _, j := range numberJoints {
			if m.keepsName(at, j) && endsFold(m.text, at, j) {
				at -= len(j)
				break
			}
		}
		if at == before || at <= 0 {
			return max(at, 0)
		}
	}
	return at
}

// keepsName says that taking the joint off does not take a name apart: 卡号 is
// a name, though 号 alone is a joint.
func (m *masker) keepsName(at int, joint string) bool {
	if joint[0] == ' ' && len(joint) == 1 {
		return true
	}
	for _, list := range [][]string{cardNames, identityNames, orderNames} {
		for _, name := range list {
			if strings.HasSuffix(name, strings.TrimLeft(joint, " ")) && endsFold(m.text, at, name) {
				return false
			}
		}
	}
	return true
}
