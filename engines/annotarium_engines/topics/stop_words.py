"""Words without information about a topic, by language. Compiled for this project, for installations without spaCy."""

from __future__ import annotations

_WORDS = {
    "en": """a about above after again against all also am an and any are aren't as at be because been before being
        below between both but by can can't cannot could couldn't did didn't do does doesn't doing don't down
        during each else ever every few for from further get got had hadn't has hasn't have haven't having he
        he'd he'll he's her here hers herself him himself his how how's i i'd i'll i'm i've if in into is isn't
        it it's its itself just let's like may me might more most much must my myself no nor not now of off on
        once one only or other ought our ours ourselves out over own per please same shall she she's should so
        some such than that that's the their theirs them themselves then there there's these they they'd they'll
        they're they've this those through to too under until up upon us very was wasn't way we we'd we'll we're
        we've were weren't what what's when where which while who whom whose why will with within without won't
        would wouldn't yes yet you you'd you'll you're you've your yours yourself yourselves said says say via""",
    "fr": """à afin ai ainsi alors après as au aucun aucune aujourd'hui auquel aura aussi autre autres aux avaient
        avais avait avant avec avez avoir avons ayant bien c ça car ce ceci cela celle celles celui cependant
        certains ces cet cette ceux chaque chez comme comment d dans de depuis des deux dès doit donc dont du
        elle elles en encore entre est et étaient était étant été être eu eux fait faire fois font fut hors ici
        il ils j je jusque l la là le lequel les leur leurs lors lorsque lui m ma mais me même mêmes mes moi
        moins mon n ne ni non nos notre nous on ont ou où par parce pas pendant peu peut peuvent plus plusieurs
        pour pourquoi pouvoir près puis qu quand que quel quelle quelles quels qui quoi s sa sans se sera ses si
        sien soi soit son sont sous sur t ta tandis tant te tel telle tels tes toi ton tous tout toute toutes
        très trop tu un une vers via voici voilà vos votre vous y""",
    "de": """ab aber alle allem allen aller alles als also am an ander andere anderen anderer anderes auch auf aus bei
        beim bereits bin bis bist da dabei dadurch dafür daher damit dann daran darauf darum das dass dazu dein
        deine dem den denn der des deshalb dessen die dies diese diesem diesen dieser dieses doch dort du durch
        ein eine einem einen einer eines einige er es etwa etwas euch euer für gegen gewesen hab habe haben hat
        hatte hatten hier hin hinter ich ihm ihn ihnen ihr ihre ihrem ihren ihrer im immer in ins ist ja jede
        jedem jeden jeder jedes jedoch jener kann kein keine keinen können könnte machen man manche mehr mein
        meine mich mir mit muss müssen nach nicht nichts noch nun nur ob oder ohne schon sehr sein seine seinem
        seinen seiner seit selbst sich sie sind so solche soll sollen sollte sondern sonst sowie über um und uns
        unser unter viel vom von vor war waren was weil weiter welche welcher wenn wer werden wie wieder will wir
        wird wo wollen worden wurde wurden würde zu zum zur zwar zwischen""",
    "es": """a al algo algunas algunos ante antes aquel aquella así aún aunque cada como con contra cual cuales cuando
        de del desde donde dos durante e el él ella ellas ellos en entre era eran es esa esas ese eso esos esta
        está están estas este esto estos fue fueron ha había habían han has hasta hay he la las le les lo los más
        me mi mis mientras muy nada ni no nos nosotros o os otra otras otro otros para pero poco por porque pues
        que qué quien quienes se sea ser si sí sido sin sobre solo sólo son su sus también tan tanto te tener
        tiene tienen toda todas todo todos tras tu tus un una uno unos unas usted ustedes va y ya yo""",
    "it": """a abbia abbiamo ad agli ai al alla alle allo anche ancora aveva avere c che chi ci ciò co coi col come
        con contro così cui da dagli dai dal dalla dalle dallo degli dei del dell della delle dello dentro di
        dopo dove due e è ed era erano essere fa fatto fino fra fu già gli ha hanno ho i il in io l la le lei li
        lo loro lui ma me mentre mi mia mio molto ne negli nei nel nella nelle nello no noi non nostro o ogni
        oltre per perché perciò più poi prima può qual quale quali quando quanto quella quelle quelli quello
        questa queste questi questo qui se sei senza si sia siamo sono sopra sotto stata stati stato su sua sue
        sugli sui sul sulla sulle suo suoi tra tu tutta tutte tutti tutto un una uno vi voi""",
    "nl": """aan af al alle alleen als altijd andere ben bij daar daarom dan dat de der deze die dit doch doen door
        dus een en er ge geen had haar had hadden heb hebben heeft hem hen het hier hij hoe hun iets ik in is ja
        je jij jullie kan kon kunnen maar me meer men met mij mijn moet moeten na naar niet niets nog nu of om
        omdat ons onze ook op over reeds te tegen toch toen tot u uit uw van veel voor waar waren was wat we wel
        werd werden wie wij wil word worden wordt zal ze zei zelf zich zij zijn zo zonder zou zouden""",
    "pt": """a à ao aos aquela aquele aqueles as às até cada com como da das de dela dele deles depois do dos e é ela
        elas ele eles em entre era eram essa essas esse esses esta está estão estas este estes eu foi foram há
        isso isto já lhe lhes mais mas me mesmo meu minha muito na não nas nem no nos nós nossa nosso num numa o
        os ou outra outras outro outros para pela pelas pelo pelos por porque qual quando que quem se sem ser seu
        seus só sobre são sua suas também te tem têm tinha todo todos tu um uma umas uns você vocês""",
    "ru": """а без более больше будет будто бы был была были было быть в вам вас вдруг ведь во вот впрочем все всегда
        всего всех всю вы где да даже два для до другой его ее её ей ему если есть еще ещё ж же за здесь и из или
        им иногда их к как какая какой когда конечно кто куда ли лучше между меня мне много может можно мой моя
        мы на над надо наконец нас не него нее ней нельзя нет ни нибудь никогда ним них ничего но ну о об один он
        она они оно опять от перед по под после потом потому почти при про раз разве с сам свою себе себя сейчас
        со совсем так также такой там тебя тем теперь то тогда того тоже только том тот три тут ты у уж уже хоть
        чего чем через что чтоб чтобы чуть эта эти это этого этой этом этот эту я""",
    "ar": """إلى إن أن أو أي أيضا إذا إلا التي الذي الذين ان او اي بعد بعض بل بين تكون تلك ثم حتى حول حيث خلال دون ذلك
        سوف على عن عند عندما غير فإن في فيه فيها قبل قد كان كانت كل كما كيف لا لأن لدى لقد لكن لم لماذا لن له لها
        ليس ليست ما مثل مع منذ من منه منها نحو نفس هذا هذه هل هم هنا هناك هو هي و وقد وكان ولا ولم وما ومن وهو
        وهي يكون""",
    "hi": """अपना अपनी अपने आदि आप इस इसका इसकी इसके इसमें इसे उन उनका उनकी उनके उस उसका उसकी उसके उसे एक एवं और कई कर
        करता करते करना करने का कि किया किसी की कुछ के को कोई क्या गया जब जा जाता जाती जो तक तथा तरह तो था थी थे
        द्वारा न नहीं ने पर बहुत बाद भी मैं मगर में यदि यह यहाँ या ये रहा रही रहे लिए लेकिन वह वहाँ वाले वे सकता
        सकते सब सभी साथ से हम ही हुआ हुई हुए है हैं हो होता होती होते होना""",
    "fa": """از است اما اگر این آن آنها او با باید بر برای بسیار بود بودند به بی پس تا تر ترین چه چون خود در دیگر را
        روی شد شده شود شما کرد کردند کرده کند کنند که ما من می نیز نیست ها های هر هم همه هیچ و ولی یا یک""",
    "ur": """آپ اب اپنا اپنی اپنے اس اسے اگر ان انہوں اور ایک بھی بہت پر تک تھا تھی تھے تو جب جس جو رہا رہی رہے سے کا
        کر کرتے کرنے کہ کو کوئی کی کیا کے گا گی گیا لیکن لیے مگر میں نہ نہیں نے وہ ہم ہو ہوا ہوئی ہوئے ہوتا ہوتی
        ہونے ہی ہے ہیں یا یہ""",
}  # fmt: skip


def stop_words(language: str) -> frozenset[str]:
    """Return the case-folded stop words of a language, empty for languages without a list."""
    return frozenset(word.casefold() for word in _WORDS.get(language, "").split())


def stop_word_languages() -> tuple[str, ...]:
    """Return the languages with a list of stop words."""
    return tuple(sorted(_WORDS))
