import { test } from '@japa/runner'
import fc from 'fast-check'
import { checkPattern, compilePattern } from '../pattern.js'
import { PATTERN_PURPOSES, TOKEN_NAMES, type PatternPurpose } from '../tokens.js'
import { NAIVE_TOKENS, naiveTexts } from './naive_matcher.js'
import { runs } from '#tests/support/effort'

const codes = (pattern: string, purpose: PatternPurpose) =>
  checkPattern(pattern, purpose).map((problem) => problem.code)

const NUMBERS = ['1', '1.2', '1.2.3', '1.02.3']

const versions = fc
  .tuple(fc.nat({ max: 99_999 }), fc.nat({ max: 999 }), fc.nat({ max: 999 }))
  .map((parts) => parts.join('.'))

test.group('Patterns | writing out', () => {
  test('a version is written in three parts, padded as asked', ({ assert }) => {
    const render = (pattern: string, version: string) => compilePattern(pattern).render({ version })
    assert.equal(render('release/{version}', '1.2'), 'release/1.2.0')
    assert.equal(render('{version}[0,0,2]', '1.2.3'), '1.2.03')
    assert.equal(render('{version}[2,3,0]', '1.2.3'), '01.002.3')
    assert.equal(render('{versionMajorMinor}', '1.2.3'), '1.2')
  })

  test('a concise version drops trailing zero parts down to the least number', ({ assert }) => {
    const render = (pattern: string, version: string) => compilePattern(pattern).render({ version })
    assert.equal(render('v{versionConcise}', '1.0.0'), 'v1')
    assert.equal(render('v{versionConcise}', '1.0.5'), 'v1.0.5')
    assert.equal(render('v{versionConcise}[2]', '1.0.0'), 'v1.0')
    assert.equal(render('v{versionConcise}[3]', '1.0.0'), 'v1.0.0')
  })

  test('a token without a value, or for any text, cannot be written out', ({ assert }) => {
    assert.isNull(compilePattern('{releaseName}').render({ version: '1.0.0' }))
    assert.isNull(compilePattern('{*}').render({ version: '1.0.0' }))
    assert.equal(
      compilePattern('{releaseName}-{ciBuildNumber}').render({
        releaseName: 'Oak',
        ciBuildNumber: '7',
      }),
      'Oak-7'
    )
  })
})

test.group('Patterns | matching', () => {
  test('any text is read as short as possible, so that versions stay whole', ({ assert }) => {
    const match = compilePattern('{*}{version}').match('build-10.2.3')
    assert.equal(match?.version, '10.2.3')
    assert.equal(match?.texts['*'], 'build-')
  })

  test('the whole text has to match', ({ assert }) => {
    const pattern = compilePattern('release/{version}')
    assert.isNull(pattern.match('release/1.2'))
    assert.isNull(pattern.match('release/1.2.3-rc'))
    assert.isNull(pattern.match('Release/1.2.3'))
    assert.equal(pattern.match('release/1.2.3')?.version, '1.2.3')
  })

  test('padding is the least width, leading zeros do not change the version', ({ assert }) => {
    const pattern = compilePattern('{version}[0,0,2]')
    assert.equal(pattern.match('1.2.03')?.version, '1.2.3')
    assert.equal(pattern.match('1.2.103')?.version, '1.2.103')
    assert.isNull(pattern.match('1.2.3'))
  })

  test('two spellings of one value have to agree', ({ assert }) => {
    const pattern = compilePattern('{versionMajorMinor}/{version}')
    assert.equal(pattern.match('1.2/1.2.3')?.version, '1.2.3')
    assert.isNull(pattern.match('1.3/1.2.3'))
    assert.isNull(compilePattern('{releaseName}/{releaseName}').match('a/b'))
    assert.equal(compilePattern('{releaseName}/{releaseName}').match('a/a')?.texts.releaseName, 'a')
  })

  test('characters with a meaning in regular expressions are plain text', ({ assert }) => {
    assert.isNotNull(compilePattern('a.b+(c)[d]^$|\\').match('a.b+(c)[d]^$|\\'))
    assert.isNull(compilePattern('a.b').match('axb'))
    assert.isNotNull(compilePattern('\\Qa\\E(?i)').match('\\Qa\\E(?i)'))
    assert.isNull(compilePattern('(?i)a').match('A'))
  })

  test('case and accents matter, and an emoji counts as one character', ({ assert }) => {
    assert.isNull(compilePattern('Acme').match('acme'))
    assert.isNull(compilePattern('é').match('e\u0301'))
    assert.isNull(compilePattern('{version}').match('١.٢.٣'))
    const pattern = compilePattern('😀{releaseName}{ciBuildNumber}')
    assert.equal(pattern.match('😀🎉7')?.texts.releaseName, '🎉')
    assert.isNull(pattern.match('😀🎉'))
  })

  test('a token for any text also matches line breaks', ({ assert }) => {
    assert.equal(compilePattern('a{*}', 'bucketBranch').match('a\nb\n')?.texts['*'], '\nb\n')
  })

  test('a concise version has one to three numbers, at least as many as asked', ({ assert }) => {
    const versionIn = (pattern: string, text: string) =>
      compilePattern(pattern).match(text)?.version
    assert.equal(versionIn('v{versionConcise}', 'v1'), '1.0.0')
    assert.equal(versionIn('v{versionConcise}', 'v1.2.3'), '1.2.3')
    assert.isUndefined(versionIn('v{versionConcise}', 'v1.2.3.4'))
    assert.isUndefined(versionIn('v{versionConcise}[2]', 'v1'))
    assert.equal(versionIn('v{versionConcise}[2]', 'v1.2'), '1.2.0')
    assert.isUndefined(versionIn('v{versionConcise}[3]', 'v1.2'))
    assert.equal(versionIn('v{versionConcise}[3]', 'v1.2.3'), '1.2.3')
  })

  test('major and minor alone make no whole version', ({ assert }) => {
    const match = compilePattern('v{versionMajorMinor}').match('v1.2')
    assert.deepEqual(match, { texts: { versionMajorMinor: '1.2' } })
  })

  test('a bare star is any text in a bucket rule and plain text elsewhere', ({ assert }) => {
    assert.isNotNull(compilePattern('feature/*', 'bucketBranch').match('feature/a/b'))
    assert.isNull(compilePattern('feature/*').match('feature/a/b'))
  })

  test('a version that was written out is read back', ({ assert }) => {
    const tokens = fc.constantFrom('{version}', '{version}[3,0,2]', '{versionConcise}[2]')
    const words = fc.stringMatching(/^[a-z/_-]{0,8}$/)
    fc.assert(
      fc.property(words, tokens, words, versions, (before, token, after, version) => {
        const pattern = compilePattern(`${before}${token}${after}`)
        const text = pattern.render({ version }) ?? ''
        assert.equal(pattern.match(text)?.version, version.split('.').map(Number).join('.'))
      }),
      { numRuns: runs(300) }
    )
  })

  test('names and numbers that were written out are read back', ({ assert }) => {
    const names = fc.stringMatching(/^[A-Za-z0-9.😀_-]{1,8}$/u)
    const pattern = compilePattern('r/{releaseName}/{version}+{ciBuildNumber}@{releaseName}', 'tag')
    fc.assert(
      fc.property(names, fc.nat().map(String), versions, (releaseName, ciBuildNumber, version) => {
        const text = pattern.render({ releaseName, ciBuildNumber, version }) ?? ''
        assert.deepEqual(pattern.match(text), {
          version,
          texts: { releaseName, ciBuildNumber, version },
        })
      }),
      { numRuns: runs(300) }
    )
  })

  test('a pattern that would blow up a backtracking matcher ends', ({ assert }) => {
    const pattern = compilePattern(`${'{*}a'.repeat(60)}b`, 'bucketBranch')
    assert.isNull(pattern.match('a'.repeat(4000)))
    assert.isNotNull(pattern.match(`${'a'.repeat(400)}b`))
  })

  test('the longest patterns of each kind end on long texts', ({ assert }) => {
    const longest = (token: string, last: string) =>
      compilePattern(token.repeat(Math.floor(255 / token.length)) + last, 'bucketBranch')
    assert.isNull(longest('*a', 'b').match('a'.repeat(4000)))
    assert.isNull(longest('{version}', 'b').match('1.'.repeat(2000)))
    assert.isNull(longest('{version}[9,9,9]', 'b').match('1'.repeat(4000)))
    assert.isNull(longest('{versionConcise}', 'b').match('1.1'.repeat(1500)))
    assert.isNull(longest('{releaseName}', 'b').match('1.1'.repeat(1500)))
  })

  test('a pattern matches the same texts as a naive expression', ({ assert }) => {
    const pieces = fc.array(fc.constantFrom('a', 'b', '{*}'), { minLength: 1, maxLength: 6 })
    fc.assert(
      fc.property(pieces, fc.stringMatching(/^[ab]{0,8}$/), (parts, text) => {
        const expression = new RegExp(`^${parts.map((p) => (p === '{*}' ? '.*' : p)).join('')}$`)
        const matched = compilePattern(parts.join(''), 'bucketBranch').match(text) !== null
        assert.equal(matched, expression.test(text))
      }),
      { numRuns: runs(500) }
    )
  })

  test('each token captures the same text as in a naive matcher', ({ assert }) => {
    const token = fc.constantFrom(...NAIVE_TOKENS)
    const literal = fc.constantFrom('', 'a', '1', '.', '/')
    // Repeated tokens must agree, which is tested above. Here each token appears once.
    const value = ([name]: string[]) => (name.startsWith('{version') ? 'version' : name)
    const word = (part: string) =>
      part.startsWith('{') ? fc.constantFrom(...NUMBERS, 'a', '/', '') : fc.constant(part)
    const cases = fc
      .uniqueArray(fc.tuple(token, literal), { minLength: 1, maxLength: 4, selector: value })
      .map((pairs) => pairs.flat().filter((part) => part !== ''))
      .chain((parts) => fc.tuple(fc.constant(parts), fc.tuple(...parts.map(word))))
    fc.assert(
      fc.property(cases, ([parts, words]) => {
        const text = words.join('')
        const match = compilePattern(parts.join(''), 'bucketBranch').match(text)
        assert.deepEqual(match?.texts ?? null, naiveTexts(parts, text))
      }),
      { numRuns: runs(1000) }
    )
  })
})

test.group('Patterns | checking', () => {
  test('a tag pattern needs a version token', ({ assert }) => {
    assert.deepEqual(codes('v{version}', 'tag'), [])
    assert.deepEqual(codes('v{versionMajorMinor}-{ciBuildNumber}', 'tag'), [])
    assert.deepEqual(codes('{releaseName}', 'tag'), ['pattern_token_required'])
    assert.deepEqual(codes('v1', 'tag'), ['pattern_token_required'])
    assert.deepEqual(codes('v{version}-{*}', 'tag'), ['pattern_token_misplaced'])
  })

  test('a branch pattern is static or names the release', ({ assert }) => {
    assert.deepEqual(codes('main', 'branch'), [])
    assert.deepEqual(codes('release/{releaseName}', 'branch'), [])
    assert.deepEqual(codes('release/{releasePilot}', 'branch'), ['pattern_token_required'])
    assert.deepEqual(codes('release/{versionMajorMinor}', 'branch'), ['pattern_token_required'])
    assert.deepEqual(codes('release/{version}-{ciBuildNumber}', 'branch'), [
      'pattern_token_misplaced',
    ])
  })

  test('a feature affiliation names the release and holds no build number', ({ assert }) => {
    assert.deepEqual(codes('iOS {version}', 'featureAffiliation'), [])
    assert.deepEqual(codes('iOS', 'featureAffiliation'), ['pattern_token_required'])
    assert.deepEqual(codes('{version} {appStoreBuildNumber}', 'featureAffiliation'), [
      'pattern_token_misplaced',
    ])
  })

  test('an unknown token is named, with what was probably meant', ({ assert }) => {
    const [problem] = checkPattern('v{verison}', 'tag')
    assert.equal(problem.code, 'pattern_token_unknown')
    assert.equal(problem.suggestion, '{version}')
  })

  test('braces and padding are checked', ({ assert }) => {
    assert.deepEqual(codes('v{version', 'tag'), ['pattern_malformed'])
    assert.deepEqual(codes('v{version}}', 'tag'), ['pattern_malformed'])
    assert.deepEqual(codes('{version}[0,2]', 'tag'), ['pattern_padding_invalid'])
    assert.deepEqual(codes('{version}[0,0,x]', 'tag'), ['pattern_padding_invalid'])
    assert.deepEqual(codes('{versionConcise}[4]', 'tag'), ['pattern_padding_invalid'])
    assert.deepEqual(codes('{versionMajorMinor}[2]', 'tag'), ['pattern_padding_invalid'])
    assert.deepEqual(codes('  ', 'tag'), ['pattern_empty'])
    assert.deepEqual(codes('x'.repeat(257), 'branch'), ['pattern_too_long'])
  })

  test('checking never throws, and what it accepts compiles', ({ assert }) => {
    const noise = fc.constantFrom('{', '}', '[', ']', ',', '0', '9', '*', 'x', ' ', '😀')
    const token = fc.constantFrom(...TOKEN_NAMES).map((name) => `{${name}}`)
    const pattern = fc.array(fc.oneof(noise, token), { maxLength: 12 }).map((all) => all.join(''))
    fc.assert(
      fc.property(pattern, fc.constantFrom(...PATTERN_PURPOSES), (text, purpose) => {
        if (checkPattern(text, purpose).length > 0) return
        assert.doesNotThrow(() => compilePattern(text, purpose).match(text))
      }),
      { numRuns: runs(1000) }
    )
  })
})
