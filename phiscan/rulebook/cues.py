"""Cues of assertion: what denies, who is a relative, what is only thought of, and where a cue ends.

Verbose expressions, any case. Scopes in the manner of NegEx (Chapman et al. 2001) and ConText (Harkema
et al. 2009), with cues and limits of our own.
"""

from __future__ import annotations

import regex

from phiscan.rulebook.sentences import LABEL


def _compiled(source: str) -> regex.Pattern[str]:
    return regex.compile(source, regex.IGNORECASE | regex.VERBOSE)


# --- relatives ------------------------------------------------------------------------------

_RELATIVE = r"""(?:(?:grand|(?:step|half)[ -]?|god|foster[ ]|great[ -]?(?:grand)?)?
    (?:mothers?|fathers?|moms?|dads?|mums?|parents?|brothers?|sisters?|siblings?|sons?|daughters?
        |child(?:ren)?|sibs?)
    |(?:great[ -]?)?(?:grand(?:ma|pa)|nana|granny|aunt(?:ie)?s?|uncles?|cousins?|nieces?|nephews?)
    |husbands?|wife
        |wives|spouses?
    |partners?|boyfriends?|girlfriends?|fianc[eé]e?s?|relatives?|family[ ]members?|twins?
    |(?:ex|former)[ -](?:husband|wife|partner|boyfriend|girlfriend)
    |in-laws
    |(?-i:MGM|MGF|PGM|PGF|MGGM|MGGF|PGGM|PGGF|[MF]OB|(?<=\b[MmPp]at(?:ernal)?[ ])G[MF]))
    (?:[ -]in[ -]laws?)?"""
_SAYS = r"""(?:reports?|reported|states?|stated|says?|said|notes?|noted|thinks?|believes?|concern\w*
    |worried|aware|unaware
    |called|brought|expressed|informed|told|notified|present|here|at[ ]bedside|supportive|involved
        |questions?|asked|asking
    |available|visiting|primary|caregiver|custody|found|noticed|seen|able|going|helping|staying|not|now
        |listed|the|her|his|a
    [ ](?:nurse|teacher|support|caregiver))"""
_AGE = r"(?:,?[ ]?\(?\d{1,3}[ ]?(?:y/?o|yrs?|years?(?:[ -]old)?)?\)?,?)?"
RELATIVE_HAS = _compiled(
    rf"""
    (?<!\b(?:single|new|young|teenage?|expectant|expecting|pregnant|first[ -]time|yo|y/o|old|(?:is|was|as
        |being)[ ]an?)[ ])
    (?<!\b(?:found|brought|driven|accompanied|witnessed|called|escorted)[ ](?:\w+[ ]){{0,2}}by[ ]
        (?:(?:her|his|the)[ ])?)
    \b(?:(?:maternal|paternal)[ ])?{_RELATIVE}\b
    (?:,?[ ]?(?:and|or|&|/|,)[ ]?(?:(?:her|his|their|the|maternal|paternal)[ ])?{_RELATIVE}\b)*
    {_AGE}(?:[ ]of[ ](?:the[ ])?(?:patient|pt)\b)?
    (?: ['’]s?\b[ ](?:(?:hx|history|h/o)\b)?
      | [ ]?[:(=\u2013\u2014]
      | [ ]-+[ ]?
      | ,[ ](?:an?[ ]|who\b|deceased|died|d\.|dx|diagnosed|known)
      | [ ]d\.
      | (?:[ ](?:who|also|both|all|each|reportedly|allegedly|recently|currently|previously|died|deceased
          |passed[ ]away|in[ ]\d+))*
        [ ](?: (?:w/|with)(?![ ](?:patient|pt|her|him|them|us|whom)\b)
             | (?:has|had|have|is|was|were|are)\b(?![ ](?:(?:been|also|very|not|both)[ ])?{_SAYS}\b)
             | (?:died|passed[ ]away|deceased|dx'?d|diagnosed|suffer(?:s|ed)|struggle[sd]|use[sd]
                 |abuse[sd]|drinks?|drank
                 |attempted|committed|completed|carr(?:y|ies|ied)|tested|takes?|took|smokes?|h/o|hx
                     |history|on|in|of|from)\b
               (?![ ](?:two|three|four|five|the|patient|pt)\b)))
    """
)
# "Father, a retired mechanic, heavy drinker": said of him until somebody else is spoken of.
RELATIVE_FIRST = _compiled(
    rf"""^\W*(?:(?:her|his|the|maternal|paternal)[ ])?{_RELATIVE}[ ]?,
    (?![^.;]*\b{_SAYS}\b)[^,.;]{{1,40}},"""
)
# "Uncle completed suicide", "sister bipolar": the entry itself says what he did or is.
RELATIVE_BEFORE = _compiled(
    rf"""(?<!\b(?:single|new|young|teenage?|expectant|expecting|pregnant)[ ])\b{_RELATIVE}{_AGE}
    (?:[ ](?:also|both|all|each|reportedly|allegedly|recently|currently|previously|once|never))*[ ]$"""
)
OF_RELATIVE = _compiled(
    r"""(?:died|di(?:es|ed)|complet|commit|attempt|overdos|abus(?:e[sd]|ing)\b|us(?:es|ed|ing)\b|drink|drank
    |smok|kill|h[au]ng|shot\b|cuts?\b|incarcerat|imprison|jail|arrest|convict|deport|suicid|depress|bipolar
    |schizo|manic|psychotic|paranoid|alcohol|addict|autistic|demented|infertile|undocumented|HIV)"""
)
FAMILY_SAID = _compiled(
    r"""\b(?:(?:strong|positive|significant|known|extensive)[ ])?
    (?: (?:family|fam\.?|familial)[ ](?:(?:medical|psychiatric|psych|mental[ ]health)[ ])?(?:history|hx|h/o)
      | (?-i:FHX?|FHx|FMHx|FmHx|FamHx))\b"""
)
OF_FAMILY_AFTER = _compiled(
    rf"""^\W*(?:\w+\W+){{0,3}}?
    (?: (?:in|of)[ ](?:(?:the|a|an|his|her|their|pt'?s?|patient'?s?|both|one|multiple|several|other|
            maternal|paternal|older|younger|first[ -]degree|second[ -]degree)[ ]){{0,3}}{_RELATIVE}\b
      | (?:in|runs[ ]in|throughout)[ ](?:(?:the|his|her|their)[ ])?(?:immediate[ ]|extended[ ])?family\b
      | on[ ](?:the[ ]|her[ ]|his[ ])?(?:maternal|paternal|mother'?s|father'?s|mom'?s|dad'?s)[ ](?:side
          |family)
      | \([^()\n]{{0,20}}\b{_RELATIVE}\b )"""
)
PATIENT_AGAIN = _compiled(
    r"""(?:,|\band\b|\bbut\b|\bwhile\b|\bwhereas\b|[-\u2013\u2014])\s*(?:the[ ])?(?:pt|patient|client|she
        |he|they|this|today)\b
    | \b(?:the[ ])?(?:patient|pt)\b(?!['’]s) | \bpersonal(?:ly)?\b | \b(?:her|him)self\b"""
)
SPACE = regex.compile(r"\s*")
FAMILY_WORD = regex.compile(r"(?i:fam)|F\.?/?H|F[Mm]H")
FAMILY_HEADING = _compiled(
    r"""(?:^|\n|(?<=[.;:,][ ])|(?<=[ ]{2}))[ \t]*[*\#_]*[ \t]*
    (?: (?:family|fam\.?)[ ](?:(?:medical|psychiatric|psych|mental[ ]health|social|genetic|cancer
        |substance(?:[ ]use)?|and|&|/)[ ])*
          (?:history|hx)
      | (?-i:FHX?|FHx|FMHx|FmHx|FamHx|F/H))
    [ \t]*(?:\([^)\n]*\))?[*_]*[ \t]*(?:[:\u2013\u2014-]|(?=\n))"""
)
FAMILY_ENDS = _compiled(
    rf"""\n[ \t]*\n
    | \n(?=[ \t]*[*\#_]*(?!(?:maternal|paternal|{_RELATIVE})\b)(?:{LABEL}|(?-i:[A-Z]{{3,}}[A-Z /&]*)(?:\n
        |$)))
    | (?<=[.;]\s)(?=(?!(?:maternal|paternal|{_RELATIVE})\b)(?:{LABEL}))
    | (?<=\w[ ])(?=(?-i:SH|SHx|PMH|PSH|PMHx|ROS|HPI|SocHx|Meds|PE):)"""
)

# --- denied ---------------------------------------------------------------------------------

_SUBJECT = r"""(?:[ ](?:that[ ])?(?:she|he|they|pt|(?:the[ ])?patient))?(?:[ ](?:is|was|has|had|have|ever|been
        |currently|any)\b){0,4}"""
DENIED_BEFORE = _compiled(
    rf"""
    (?P<pseudo> \bno[ ]longer\b | \bnot[ ](?:only|just|merely|simply|necessarily)\b | \bno[ ](?:doubt
        |surprise|shows?|showed)\b | \bno-show\w*
      | \bno[ ](?:(?:significant|real|further|acute)[ ])?(?:change|improvement|worsening|increase|decrease
          |relief|response|benefit|progress)s?\b(?:[ ](?:in|of|to|from))?
      | \b(?:no|without|w/o)[ ](?:\w+[ ]){{0,2}}?(?:help|relief|benefit|effects?|success|luck|avail|issues?
          |problems?|complaints?|complications?|difficulty|distress|insurance|events?|questions?|concerns?
          |parents?|guardian|mother|father|mom|dad|family|chaperone|interpreter|visitors?
          |support|housing|job|work|income|money|transportation|phone|pcp|friends)(?=[ ]?,)
      | \b(?:without|w/o)[ ](?:an?|her|his|their|the)[ ](?!history|hx|evidence|plan|diagnosis)[\w-]+
          (?:[ ][\w-]+){{0,2}}(?=[ ]?,)
      | \bwithout[ ](?:improvement|relief|change|success|(?:her|his|their)[ ](?:knowledge|consent
          |permission)|telling|disclosing|(?:adequate[ ])?treatment|medications?|meds)\b(?:[ ]for)?
      | \b(?:not|never|n['’]t)[ ](?:yet[ ])?(?:been[ ])?(?:able[ ]to[ ])?(?:told|tell|telling|disclosed?
          |disclosing|aware|informed|sure|certain|clear|want\w*|wish|know|ready|open|shared?|revealed?
          |discussed|known[ ]to|out[ ]to|interested)\b
      | \b(?:not|never|n['’]t)[ ](?:(?:been|currently|well|adequately|fully|optimally|always
          |consistently)[ ])*(?:controlled|compliant|adherent|treated|engaged|followed|following|attending
          |attended|keeping|able|on[ ](?:treatment|meds|medications?|art|haart)|in[ ](?:treatment|care
          |remission))\b
      | \b(?:can(?:not|['’]t)|could[ ]not|unable[ ]to|not)[ ](?:be[ ]|been[ ]|entirely[ ]
          |completely[ ])*(?:rule[ds]?[ ]out|exclude[ds]?)\b
      | \bno[ ](?:current[ ]|recent[ ]|prior[ ]|outpatient[ ]|active[ ])*(?:treatment|medications?|meds
          |therapy|provider|follow[ -]?up|insurance|therapist|psychiatrist)[ ]for\b
      | \b(?:nobody|no[ ]one)\b | \bin[ ]denial\b | \bno\.[ ]?\d
          | \b(?:insur\w+|payer|medicaid|medicare|coverage|claims?|authorization
          |appeals?)\b[^.;\n]{{0,25}}\bdenied\b
      | \bden(?:y|ies|ied)[ ](?:regret|concern)\w*
    )
    | (?P<deny> \bden(?:y|ies|ied|ying)\b{_SUBJECT} | (?:\bnegative|\bneg|-ve)[ ](?:screen[ ])?for\b 
        | \bdisclaims?\b )
    | (?P<no> \b(?:no|without|w/o|never|nor|neither|none[ ]of|nil|zero|absence[ ]of|absent|free[ ](?:of
        |from)|lack(?:s|ing)?(?:[ ]of)?|ruled[ ]out(?:[ ]for)?|rules[ ]out|exclud(?:es|ed|ing)
        |fails?[ ]to[ ](?:show|reveal)|unremarkable[ ]for
        |(?:low|minimal|little|doubtful)[ ](?:(?:clinical|index[ ]of)[ ])?(?:suspicion|concern|likelihood
            |probability)[ ](?:for|of|that)
        |not[ ](?:concerning|concerned|suspicious|suggestive|worrisome|consistent|compatible|in[ ]keeping)[ ]
            (?:for|of|about|with)|unlikely[ ]to[ ](?:be|have)|doubt)\b(?!\.\s*\d)
            (?:[ ](?:\w+[ ])?(?:evidence|indication|suspicion|concerns?|reason[ ]to[ ](?:believe|think
                |suspect))\b(?:[ ]that)?{_SUBJECT})?
        | \(-\) | (?<![\w\u00d8])[øØ](?=[ ]?\w) | (?<=[ ,/])[-\u2212](?=(?-i:[A-Z]{{2,4}}\b)) )
    | (?P<not> (?:\b(?:not|cannot|declin(?:es|ed|ing)|refus(?:es|ed|ing))\b|n['’]t\b) )
    | (?P<adjective> \b(?:negative|neg|non-?reactive)[ ](?:\w+[ ]){{0,2}}$ )
    """
)
_SAYS_YES = r"""(?:is|was|are|were|has|had|have|does|did|reports?|reported|endorse[sd]?|admits?|admitted
    |states?|stated|acknowledge[sd]?
    |describe[sd]?|disclose[sd]?|presents?|presented|contracts?|contracted|agrees?|agreed|requests?|requested|requesting|asks?|asked|asking|wants?|wanted|wanting|seeks|seeking
    |remains?|continues?|started?|takes|drinks|smokes|uses
        |relapsed|positive
    |diagnosed|treated|known|p/w|s/p)"""
TURN = _compiled(
    rf"""\b(?:but|however|although|though|except(?:ing|[ ]for)?|apart[ ]from|aside[ ]from|other[ ]than
        |besides|whereas|while|because
        |since|due[ ]to|secondary[ ]to|despite|until|prior[ ]to|yet|still|instead|then)\b
    | (?:,|\band\b|&|\+)\s*(?:(?:she|he|they|pt|patient|the|also|now|who|which|currently
        |that)[ ])*{_SAYS_YES}\b
    | \b(?:she|he|they|pt|patient)[ ](?:does[ ])?{_SAYS_YES}\b
    | ,\s*(?:with|w/)(?![ ]or\b) | ,\s*(?:on|currently|now|lives?|living|works?|working|sees|followed
        |taking)\b
    | \bfor[ ](?:her|his|their|the|chronic|a|an|management|treatment)\b
    | \b(?:\+ve|pos)\b | \(\+\)"""
)
TURN_OF_NO = _compiled(
    r",\s*(?:h/o|hx|history[ ]of|past|prior|s/p|status[ ]post|known|married|single|long|recent)\b"
)
COMMA = _compiled(r",(?![^.;]*\b(?:or|nor)\b)")
STARTS_DENIED = _compiled(r"den(?:y|ies|ied|ying)\b")
_NEGATIVE = r"""(?:negative|neg|non-?reactive
    |(?-i:NR|ND)
    |not[ ](?:detected|present|found|seen|identified|endorsed|reported|elicited|suspected|contacted|notified
        |called|involved|indicated|needed|required|warranted|filed|done|performed|obtained)
    |absent|ruled[ ]out|excluded|unlikely|-ve)"""
_GAP_WORD = r"""(?!(?:positive|pos|but|however|although|with|who|on|denie[sd]|for|to|from|since|after|because
        |and|has|had|reports?)\b)\w[\w/'()+%-]*+"""
"""Possessive, and begun by a letter: what separates words may hold the same signs ("////")."""
DENIED_AFTER = _compiled(
    rf"""^(?:
      [ ]?(?:\(-\)|-(?=[\s,;.)]|$)|\u2212)
    | [ ](?:(?:was|were|is|came[ ]back|returned)[ ])?(?:negative|neg)[ ]for\b
    | (?:[ :(=/\u2013\u2014-]++{_GAP_WORD}){{0,6}}?[ :(=\u2013\u2014-]++(?:(?:is|was|were|are|all|both|been
        |be)[ ])*{_NEGATIVE}\b(?![ ](?:for|affect|symptoms|impact|thoughts)\b)
    | (?:[ /]{_GAP_WORD}){{0,4}}?[ ]?,[ ](?:(?:pt|patient|she|he)[ ])?(?:denie[sd]|none|nil)\b
        (?=\s*(?:$|[.;)]))
    | (?:[ /]{_GAP_WORD}){{0,4}}?[ :(=\u2013\u2014-]++(?:(?:is|was|were|are|been|pt|patient|she
        |he)[ ])*(?:denie[sd]|none|nil)\b(?=\s*(?:$|[.,;)\n/]|any\b|use\b|current|at[ ]this
            |by[ ](?!insur|the[ ]insur|payer|medic|plan|the[ ]plan)|reported
        |noted|known))
    | (?:[ /]{_GAP_WORD}){{0,4}}?[ ]?[:=\u2013\u2014-][ ]?(?:no|never|n|0|n/a|not[ ]\w+
        |denies(?:[ ]\w+)?)(?=\s*(?:$|[.,;)\n/(]|current|active|recent|evidence|concern|history|hx|use\b
        |known|reported))
    | (?:[ ]{_GAP_WORD}){{0,3}}?[ ](?:has|have|had)[ ](?:never|not)[ ]
    | \?[ ]?(?:no|denies|never|none)\b
    )"""
)
POSITIVE_AFTER = _compiled(
    r"""^(?:,?[ ](?:which|and[ ]this|that|it
        |result)\b)?[^.,;\n]{0,40}?(?<!non)(?<!non-)(?<!not[ ])\b(?:positive|reactive|detected|confirmed
        |pos)\b(?!\?)
    | ^[ ]?(?:\(\+\)|\+(?!\w))"""
)
POSITIVE = _compiled(r"(?<!non)(?<!non-)\b(?:positive|reactive)\b|\+$")

# --- only thought of ------------------------------------------------------------------------

_NOT_POSITIVE = r"(?:[ ](?!positive|pos\b|\+)[\w/]+)"
THOUGHT_OF = _compiled(
    rf"""
    \b(?: (?P<short> if | unless | whether | should[ ](?:she|he|they|pt|patient|the|you|any) 
        | in[ ](?:case|the[ ]event)[ ]of )
      | (?<!\b(?:high|imminent)[ -])(?:at[ -])?risks?(?:[ ]factors?)?[ ](?:of|for|include)
      | (?:re)?screen(?:s|ed|ing|ings)?{_NOT_POSITIVE}{{0,3}}?[ ]for 
          | tests?{_NOT_POSITIVE}{{0,2}}?[ ]for | test(?:ed|ing){_NOT_POSITIVE}{{0,2}}?[ ]for
      | check(?:ed|ing)?[ ]for | evaluat\w+[ ](?:\w+[ ])?for | assess\w*{_NOT_POSITIVE}{{0,2}}?[ ]for 
          | monitor\w*(?:[ ]\w+){{0,3}}?[ ]for
      | watch\w*(?:[ ]\w+){{0,2}}?[ ]for | work-?[ ]?up[ ]for | look(?:ing)?[ ]for | surveillance[ ]for
      | educat\w+(?:[ ]\w+){{0,4}}?[ ](?:about|on|regarding|re) | counsel(?:l?ed
          |l?ing)?(?:[ ]\w+){{0,4}}?[ ](?:about|on|regarding|re|against)
      | (?:handouts?|pamphlets?|brochures?|literature|information|materials?|article
          |lecture)(?:[ ]\w+)?[ ](?:on|about|regarding)
      | warn\w*(?:[ ]\w+){{0,2}}?[ ](?:of|about) | rule[ ]out | ruling[ ]out | r/o | to[ ]exclude
      | prevent(?:s|ed|ing|ion)?(?:[ ]of)? | prophyla\w+(?:[ ](?:for|against))? | (?:vaccin
          |immuni)\w+[ ](?:for|against)
      | consider(?:ation[ ]of)?(?!ing|ed) | (?:may|can|could|might)[ ](?:cause|lead[ ]to|increase|worsen
          |result[ ]in) | (?:side|adverse)[ ]effects?(?:[ ](?:of|include\w*))?
      | signs[ ]of | hypothetical(?:ly)? )\b
    | (?<!\w)\?(?=[ ]?\w)"""
)
THOUGHT_OF_AFTER = _compiled(
    r"""^[ -]*(?:\w+[ ])?(?:screen(?:s|er|ing|ings)?|test(?:s|ing)?|panel|risk[ ](?:assessment|screen\w*
        |factors?)|assessment|education
    |(?:hot|help)line(?![ ](?:(?:was|has[ ]been)[ ])?(?:called|contacted|notified|reached))
        |prevention|vaccin\w+|prophylaxis|handout|pamphlet|awareness|questionnaire)\b
    | ^[ ](?:(?:was|were|is|been)[ ])?(?:offered|declined|deferred|recommended|advised)(?=\s*(?:$|[.,;)]|by\b
        |today\b|again\b|at[ ]this))"""
)
