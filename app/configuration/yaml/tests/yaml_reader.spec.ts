import { test } from '@japa/runner'
import { stringify } from 'yaml'
import fc from 'fast-check'
import { YamlReader } from '#configuration/yaml/yaml_reader'
import type { YamlNode } from '#configuration/yaml/tree'
import { runs } from '#tests/support/effort'

// A busy machine may take longer than a second for the larger texts.
const reader = new YamlReader({ deadline: 60_000 })
const KIB = 1024

async function codes(text: string | Uint8Array): Promise<string[]> {
  const reading = await reader.read(text)
  return reading.ok ? [] : [...new Set(reading.problems.map((problem) => problem.code))]
}

function plain(node: YamlNode): unknown {
  if (node.kind === 'scalar') return node.value
  if (node.kind === 'list') return node.items.map(plain)
  return new Map(node.entries.map((entry) => [entry.key, plain(entry.value)]))
}

async function root(text: string): Promise<YamlNode> {
  const reading = await reader.read(text)
  if (!reading.ok) throw new Error(reading.problems[0].message)
  return reading.root
}

test.group('YAML | reading', (group) => {
  group.teardown(() => reader.close())

  test('a document keeps order, source text and places', async ({ assert }) => {
    const node = await root('---\n# an app\nname: Acme\n10: first\n2: 1.10\n')
    assert.containSubset(node, {
      kind: 'map',
      entries: [
        { key: 'name', line: 3, column: 1, value: { value: 'Acme', line: 3, column: 7 } },
        { key: '10', value: { value: 'first' } },
        { key: '2', value: { value: 1.1, source: '1.10', line: 5, column: 4 } },
      ],
    })
  })

  test('an alias stands for what it names, at its own place', async ({ assert }) => {
    const node = await root('a: &x {b: [1]}\nc: *x\n')
    assert.deepEqual(
      plain(node),
      new Map([
        ['a', new Map([['b', [1]]])],
        ['c', new Map([['b', [1]]])],
      ])
    )
    assert.containSubset(node, { entries: [{}, { value: { line: 2, column: 4 } }] })
  })

  test('words that older YAML took for booleans are text', async ({ assert }) => {
    const node = await root('a: yes\nb: no\nc: true\nd: ~\ne:\nf: 0o17\n<<: 1\n')
    assert.deepEqual(
      [...(plain(node) as Map<string, unknown>).values()],
      ['yes', 'no', true, null, null, 15, 1]
    )
  })

  test('an empty file is nothing', async ({ assert }) => {
    assert.isNull(plain(await root('')))
    assert.isNull(plain(await root('# only a comment\n')))
  })

  test('any tree that is written comes back as it was', async ({ assert }) => {
    const text = fc.string({ unit: 'binary-ascii', maxLength: 12 }).filter((s) => !FORBIDDEN.has(s))
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof({ maxDepth: 4 }, text, fc.boolean(), fc.integer(), tie('list'), tie('map')),
      list: fc.array(tie('tree'), { maxLength: 4 }),
      map: fc.array(fc.tuple(text, tie('tree')), { maxLength: 4 }).map((all) => new Map(all)),
    }))
    await fc.assert(
      fc.asyncProperty(tree, async (value) => {
        assert.deepEqual(plain(await root(stringify(value, { lineWidth: 0 }))), value)
      }),
      { numRuns: runs(200) }
    )
  })
})

const FORBIDDEN = new Set(['__proto__', 'constructor', 'prototype'])

test.group('YAML | refusing', (group) => {
  group.teardown(() => reader.close())

  test('{$i}: {code}')
    .with([
      { code: 'yaml_syntax', text: 'a: [1, 2' },
      { code: 'yaml_syntax', text: 'a:\n\t- b' },
      { code: 'yaml_syntax', text: 'a: "half' },
      { code: 'yaml_syntax', text: 'a: *nowhere' },
      { code: 'yaml_syntax', text: '}'.repeat(50) },
      { code: 'yaml_version', text: '%YAML 1.1\n---\na: yes\n' },
      { code: 'yaml_several_documents', text: 'a: 1\n---\nb: 2\n' },
      { code: 'yaml_duplicate_key', text: 'a: 1\nb: 2\na: 3\n' },
      { code: 'yaml_duplicate_key', text: '1: x\n"1": y\n' },
      { code: 'yaml_custom_tag', text: 'a: !foo 1' },
      { code: 'yaml_custom_tag', text: 'a: !!binary aGk=' },
      { code: 'yaml_custom_tag', text: 'a: !!js/function x' },
      { code: 'yaml_custom_tag', text: '!foo a: 1' },
      { code: 'yaml_custom_tag', text: '!!set {a, b}' },
      { code: 'yaml_key_not_text', text: '? [a]\n: 1' },
      { code: 'yaml_key_not_text', text: ': 1' },
      { code: 'yaml_forbidden_key', text: 'a: {__proto__: {x: 1}}' },
      { code: 'yaml_forbidden_key', text: 'constructor: 1' },
      { code: 'yaml_forbidden_key', text: '"prototype": 1' },
      { code: 'yaml_alias_limit', text: 'a: &a [*a]' },
      { code: 'yaml_alias_limit', text: `a: &a 1\nb: [${'*a, '.repeat(51)}1]` },
      { code: 'yaml_alias_limit', text: bomb(9, 9) },
      { code: 'yaml_alias_limit', text: bomb(30, 2) },
      { code: 'yaml_nesting_limit', text: `a: ${'['.repeat(32)}${']'.repeat(32)}` },
      { code: 'yaml_nesting_limit', text: `${'- '.repeat(33)}1` },
      { code: 'yaml_nesting_limit', text: '['.repeat(10 * KIB) + ']'.repeat(10 * KIB) },
      { code: 'yaml_nesting_limit', text: aliasTower() },
      { code: 'yaml_size_limit', text: `[${'1,'.repeat(20_500)}1]` },
      { code: 'yaml_size_limit', text: `name: x${'\n'.repeat(30_000)}` },
      { code: 'yaml_size_limit', text: `a: &a [${'1,'.repeat(1000)}]\nb: [${'*a,'.repeat(40)}]` },
    ])
    .run(async ({ assert }, { code, text }) => {
      assert.include(await codes(text), code)
    })

  test('every duplicate is listed with its place', async ({ assert }) => {
    const reading = await reader.read('a: 1\na: 2\nb:\n  c: 1\n  c: 2\n')
    assert.deepEqual(reading.ok ? [] : reading.problems.map(({ line, column }) => [line, column]), [
      [2, 1],
      [5, 3],
    ])
  })

  test('bytes that are no UTF-8 are refused', async ({ assert }) => {
    assert.deepEqual(await codes(Buffer.from([0x61, 0x3a, 0x20, 0xff])), ['yaml_encoding'])
    assert.deepEqual(await codes(Buffer.from('a: é')), [])
  })

  test('fifty uses of aliases and 32 levels are still fine', async ({ assert }) => {
    assert.deepEqual(await codes(`a: &a 1\nb: [${'*a, '.repeat(50)}1]`), [])
    assert.deepEqual(await codes(`a: ${'['.repeat(31)}${']'.repeat(31)}`), [])
  })

  test('thousands of flat keys are read, and the repeated one found', async ({ assert }) => {
    const keys = Array.from({ length: 9000 }, (_, index) => `key${index}: 1`)
    assert.deepEqual(await codes(keys.join('\n')), [])
    assert.deepEqual(await codes([...keys, 'key17: 2'].join('\n')), ['yaml_duplicate_key'])
  })

  test('a file that takes too long is given up, and the next one is read', async ({ assert }) => {
    const impatient = new YamlReader({ size: 1, deadline: 1 })
    const first = await impatient.read('[a]: 1\n'.repeat(18_000))
    assert.containSubset(first, { ok: false, problems: [{ code: 'yaml_too_costly' }] })
    await impatient.close()

    const patient = new YamlReader({ size: 1 })
    const hostile = patient.read('! '.repeat(64 * KIB))
    const honest = patient.read('name: Acme')
    const results = await Promise.all([hostile, honest])
    assert.deepEqual(
      results.map((result) => result.ok),
      [false, true]
    )
    await patient.close()
  })

  test('a text that would wait behind twenty others is refused for now', async ({ assert }) => {
    const crowded = new YamlReader({ size: 1 })
    const results = await Promise.allSettled(
      Array.from({ length: 24 }, () => crowded.read('name: Acme'))
    )
    const refused = results.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []))
    assert.lengthOf(refused, 3)
    for (const problem of refused) {
      assert.containsSubset(problem, { code: 'not_ready', status: 503 })
      assert.equal(problem.headers['retry-after'], '20')
    }
    assert.isTrue((await crowded.read('name: Acme')).ok)
    await crowded.close()
  })

  test('texts made of YAML punctuation never break the reader', async ({ assert }) => {
    const piece = fc.constantFrom(...'-?:,[]{}#&*!|>\'"%@` \n\t~<=a1', '---', '...', '&a ', '*a ')
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 60 }), async (pieces) => {
        const reading = await reader.read(pieces.join(''))
        assert.isTrue(
          reading.ok || reading.problems.every(({ line, column }) => line > 0 && column > 0)
        )
      }),
      { numRuns: runs(500) }
    )
  })
})

/** Creates a YAML bomb: each level refers to the previous one several times. */
function bomb(levels: number, width: number): string {
  const line = (level: number) =>
    `l${level}: &l${level} [${Array(width)
      .fill(`*l${level - 1}`)
      .join(', ')}]`
  return ['l0: &l0 x', ...Array.from({ length: levels }, (_, index) => line(index + 1))].join('\n')
}

/** Creates aliases where no level is deep as written, but is when expanded. */
function aliasTower(): string {
  const line = (level: number) => `l${level}: &l${level} [[[[*l${level - 1}]]]]`
  return ['l0: &l0 []', ...Array.from({ length: 9 }, (_, index) => line(index + 1))].join('\n')
}
