import { test } from '@japa/runner'
import fc from 'fast-check'
import { checkPattern, compilePattern } from '../pattern.js'
import { PATTERN_PURPOSES, TOKEN_NAMES, type PatternPurpose } from '../tokens.js'

const codes = (pattern: string, purpose: PatternPurpose) =>
  checkPattern(pattern, purpose).map((problem) => problem.code)

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

  test('one value written twice has to agree', ({ assert }) => {
    const pattern = compilePattern('{versionMajorMinor}/{version}')
    assert.equal(pattern.match('1.2/1.2.3')?.version, '1.2.3')
    assert.isNull(pattern.match('1.3/1.2.3'))
    assert.isNull(compilePattern('{releaseName}/{releaseName}').match('a/b'))
    assert.equal(compilePattern('{releaseName}/{releaseName}').match('a/a')?.texts.releaseName, 'a')
  })

  test('characters with a meaning in regular expressions are plain text', ({ assert }) => {
    assert.isNotNull(compilePattern('a.b+(c)[d]^$|\\').match('a.b+(c)[d]^$|\\'))
    assert.isNull(compilePattern('a.b').match('axb'))
  })

  test('a bare star is any text in a bucket rule and plain text elsewhere', ({ assert }) => {
    assert.isNotNull(compilePattern('feature/*', 'bucketBranch').match('feature/a/b'))
    assert.isNull(compilePattern('feature/*').match('feature/a/b'))
  })

  test('what was written out is read back', ({ assert }) => {
    const tokens = fc.constantFrom('{version}', '{version}[3,0,2]', '{versionConcise}[2]')
    const words = fc.stringMatching(/^[a-z/_-]{0,8}$/)
    fc.assert(
      fc.property(words, tokens, words, versions, (before, token, after, version) => {
        const pattern = compilePattern(`${before}${token}${after}`)
        const text = pattern.render({ version }) ?? ''
        assert.equal(pattern.match(text)?.version, version.split('.').map(Number).join('.'))
      }),
      { numRuns: 300 }
    )
  })

  test('a pattern made to explode a backtracking matcher ends', ({ assert }) => {
    const pattern = compilePattern(`${'{*}a'.repeat(60)}b`, 'bucketBranch')
    assert.isNull(pattern.match('a'.repeat(4000)))
    assert.isNotNull(pattern.match(`${'a'.repeat(400)}b`))
  })

  test('matches are those of the naive meaning', ({ assert }) => {
    const pieces = fc.array(fc.constantFrom('a', 'b', '{*}'), { minLength: 1, maxLength: 6 })
    fc.assert(
      fc.property(pieces, fc.stringMatching(/^[ab]{0,8}$/), (parts, text) => {
        const expression = new RegExp(`^${parts.map((p) => (p === '{*}' ? '.*' : p)).join('')}$`)
        const matched = compilePattern(parts.join(''), 'bucketBranch').match(text) !== null
        assert.equal(matched, expression.test(text))
      }),
      { numRuns: 500 }
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
      { numRuns: 1000 }
    )
  })
})
