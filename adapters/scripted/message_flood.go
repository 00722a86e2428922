package scripted

import (
	"bytes"
	"math/rand/v2"
	"strings"
)

const floodMessage = 10_000 // deltas of one message of a flood

// flood streams deltas as fast as they are taken, from lines made beforehand. Every message of it has a bounded length.
func (t *talk) flood(s Flood) error {
	size := s.Size
	if size == 0 {
		size = 8
	}
	delta := strings.Repeat("flooding ", size/9+1)[:size]
	var random *rand.Rand
	if s.Seed != 0 {
		random = rand.New(rand.NewPCG(s.Seed, s.Seed))
	}
	for left := s.Lines; s.Lines == 0 || left > 0; left -= floodMessage {
		if s.Lines == 0 {
			left = floodMessage
		}
		t.endMessage("stop")
		flood := t.floodOne
		if random != nil {
			flood = func(deltas int, _ string) error { return t.floodWords(deltas, size, random) }
		}
		if err := flood(int(min(left, floodMessage)), delta); err != nil {
			return err
		}
	}
	return nil
}

// floodOne streams one message of a flood.
func (t *talk) floodOne(deltas int, delta string) error {
	b, i := t.beginBlock("text", toolCallBlock{})
	t.open.flood = true
	line := append(encode(messageUpdate{Type: "message_update", Event: blockUpdate{Type: "text_delta", ContentIndex: i, Delta: &delta}}), '\n')
	batch := max(1, blockSize/len(line))
	lines := bytes.Repeat(line, batch)
	for sent := 0; sent < deltas; {
		n := min(batch, deltas-sent)
		t.out.write(lines[:n*len(line)])
		b.text.WriteString(strings.Repeat(delta, n))
		sent += n
		if err := t.in.poll(); err != nil {
			return err
		}
	}
	return nil
}

// floodWords is floodOne with words that are drawn, others in each delta.
func (t *talk) floodWords(deltas, size int, random *rand.Rand) error {
	b, i := t.beginBlock("text", toolCallBlock{})
	t.open.flood = true
	text, lines := make([]byte, 0, size+32), make([]byte, 0, 2*blockSize)
	word := func() string { return drawnWords[random.IntN(len(drawnWords))] }
	for sent := 0; sent < deltas; {
		for lines = lines[:0]; sent < deltas && len(lines) < blockSize; sent++ {
			for text = text[:0]; len(text) < size; text = append(text, ' ') {
				text = append(text, word()...)
				if next := word(); random.IntN(3) == 0 { // a name, as code has them
					text = append(append(text, next[0]-'a'+'A'), next[1:]...)
				}
			}
			said := string(text[:size])
			b.text.WriteString(said)
			update := blockUpdate{Type: "text_delta", ContentIndex: i, Delta: &said}
			lines = append(append(lines, encode(messageUpdate{Type: "message_update", Event: update})...), '\n')
		}
		t.out.write(lines)
		if err := t.in.poll(); err != nil {
			return err
		}
	}
	return nil
}

var drawnWords = strings.Fields(`the of to and in is that it for was on are as with they be at one have this from or had by but some what there we can out
other were all your when up use word how said an each she which do their time if will way about many then them would write like so these her long make thing
see him two has look more day could go come did my sound no most number who over know water than call first people may down side been now find any new work
part take get place made live where after back little only round man year came show every good me give our under name very through just form much great think
say help low line before turn cause same mean differ move right boy old too does tell sentence set three want air well also play small end put home read hand
port large spell add even land here must big high such follow act why ask men change went light kind off need house picture try us again animal point mother
world near build self earth father head stand own page should country found answer school grow study still learn plant cover food sun four thought let keep eye
never last door between city tree cross since hard start might story saw far sea draw left late run while press close night real life few stop open seem
together next white children begin got walk example ease paper often always music those both mark book letter until mile river car feet care second group carry
took rain eat room friend began idea fish mountain north once base hear horse cut sure watch color face wood main enough plain girl usual young ready above ever
red list though feel talk bird soon body dog family direct pose leave song measure state product black short numeral class wind question happen complete ship
area half rock order fire south problem piece told knew pass farm top whole king size heard best hour better true during hundred remember step early hold west
ground interest reach fast five sing listen six table travel less morning ten simple several vowel toward war lay against pattern slow center love person money
serve appear road map science rule govern pull cold notice voice fall power town fine certain fly unit lead cry dark machine note wait plan figure star box noun
field rest correct able pound done beauty drive stood contain front teach week final gave green quick develop sleep warm free minute strong special mind behind
clear tail produce fact street inch nothing course stay wheel full force blue object decide surface deep moon island foot yet busy test record boat common gold
possible plane age dry wonder laugh thousand ago ran check game shape yes hot miss brought heat snow bed bring sit perhaps fill east weight language among`)
