import { test } from '@japa/runner'
import fc from 'fast-check'
import { YAML_LIMITS, type YamlResult } from '#configuration/yaml/tree'
import { YamlReader } from '#configuration/yaml/yaml_reader'
import { runs } from '#tests/support/effort'

const SIZE = YAML_LIMITS.bytes
/** Half the memory of the service, and enough time that only memory can run out. */
const FRUGAL = { memoryMb: 128, deadline: 60_000 }

/** Repeats a unit up to the size limit of a file, between a prefix and a suffix. */
function repeated(unit: string, before = '', after = '', most = SIZE): string {
  const room = SIZE - Buffer.byteLength(before + after)
  return before + unit.repeat(Math.min(most, Math.floor(room / Buffer.byteLength(unit)))) + after
}

function numbered(count: number, line: (index: string) => string): string {
  return Array.from({ length: count }, (_, index) => line(index.toString(36))).join('')
}

const HOSTILE: [what: string, text: string][] = [
  ['stray braces', repeated('}')],
  ['braces after a list', repeated('}', '[]')],
  ['braces after a key', repeated('a: }\n', '', '', 19_000)],
  ['lists without a comma', repeated('[]')],
  ['opened lists', repeated('[')],
  ['opened maps in lists', repeated('[{')],
  ['closed lists, deep', '['.repeat(SIZE / 2) + ']'.repeat(SIZE / 2)],
  ['commas', repeated(',', '[', ']')],
  ['colons', repeated(': ', '[', ']')],
  ['explicit keys', repeated('? ')],
  ['explicit keys in a map', repeated('?,', '{', '}')],
  ['dashes', repeated('- ')],
  ['dashes with tabs', repeated('-\t')],
  ['tabs before list items', repeated('\t- b\n', 'a:\n', '', 19_000)],
  ['tags', repeated('! ')],
  ['tags that nobody knows', repeated('!a,', '[', ']')],
  ['tags with a bad escape', repeated('!!%zz,', '[', ']')],
  [
    'tags with a long prefix',
    `%TAG !e! tag:${'x'.repeat(SIZE / 2)}\n---\n[${numbered(7500, (index) => `!e!${index},`)}]`,
  ],
  ['handles of tags', `${numbered(9000, (index) => `%TAG !${index}! x\n`)}---\n!foo a`],
  ['a tag as long as the file', repeated('a', '!')],
  ['directives', repeated('%F\n', '', '', 19_000)],
  ['anchors', repeated('&a ')],
  ['anchors and tags', repeated('&a !b\n', '', '', 19_000)],
  ['aliases without an anchor', repeated('*a,', '[', ']')],
  ['aliases of one anchor', repeated('- *a\n', '- &a x\n', '', 19_000)],
  ['aliases that end in a colon', repeated('*a:,', '[', ']')],
  ['comments that touch quotes', repeated('""#,\n', '[', '', 19_000)],
  ['comments between items', repeated('1, #x\n', '[\n', '', 19_000)],
  ['block scalars in a row', repeated('| ')],
  ['a header of a block scalar', repeated('x', 'a: |')],
  ['double quotes', repeated('"')],
  ['quoted words without commas', repeated('"" ', '[', ']')],
  ['bad escapes', repeated('\\q', '"', '"')],
  ['escapes beyond Unicode', repeated('\\UFFFFFFFF', '"', '"')],
  ['a quote that is not indented', repeated('x\n', 'a:\n  b: "', '"', 19_000)],
  ['characters no word begins with', repeated('@,', '[', ']')],
  ['carriage returns', repeated('1,\r', '[', ']')],
  ['all ends of lines', repeated('- a\r\n- b\n\r- c\r\t', '', '', 9000)],
  ['deep indentation', Array.from({ length: 500 }, (_, at) => `${' '.repeat(at)}a:\n`).join('')],
  [
    'falling indentation',
    Array.from({ length: 500 }, (_, at) => `${' '.repeat(500 - at)}a:\n`).join(''),
  ],
  ['very long keys', `${'a'.repeat(SIZE / 3)}: 1\n${'b'.repeat(SIZE / 3)}: 1\n`],
  ['lists as keys', repeated('[a]: 1\n')],
  ['many documents', repeated('---\n', '', '', 19_000)],
  ['ends of documents', repeated('... a\n', '', '', 19_000)],
  ['halves of surrogates', repeated('\uD800,', '[', ']')],
  ['control characters', repeated('\x02,', '[', ']')],
]

test.group('YAML | hostile texts', (group) => {
  const frugal = new YamlReader(FRUGAL)
  group.teardown(() => frugal.close())

  test('{0}: refused with a place, within half the memory')
    .with(HOSTILE)
    .run(async ({ assert }, [, text]) => {
      const reading = await frugal.read(text)
      assert.isFalse(reading.ok)
      assert.notInclude(codesOf(reading), 'yaml_too_costly')
      checkProblems(reading)
    })

  test('any few pieces of YAML over and over are read or refused, within half the memory', async () => {
    const few = fc.array(piece, { minLength: 1, maxLength: 6 }).map((all) => all.join(''))
    const before = fc.array(piece, { maxLength: 3 }).map((all) => all.join(''))
    await fc.assert(
      fc.asyncProperty(before, few, fc.constantFrom(1, 8, 64), async (start, unit, part) => {
        const room = Math.floor((SIZE - Buffer.byteLength(start)) / part)
        const text = start + unit.repeat(Math.floor(room / Buffer.byteLength(unit)))
        checkProblems(await frugal.read(text))
      }),
      { numRuns: runs(60) }
    )
  })

  test('threads that are ended in the middle of it leave the service alive', async ({ assert }) => {
    const hasty = new YamlReader({ deadline: 30 })
    const results = await Promise.all(HOSTILE.slice(0, 20).map(([, text]) => hasty.read(text)))
    for (const reading of results) assert.isFalse(reading.ok)
    await hasty.close()
    assert.isTrue((await frugal.read('name: Acme')).ok)
  })

  test('a hundred problems are listed, in the order of the file', async ({ assert }) => {
    const strays = await frugal.read('"a"\n' + '}\n'.repeat(500))
    assert.lengthOf(codesOf(strays), YAML_LIMITS.problems)
    const escapes = await frugal.read(`a: "${'\\q'.repeat(500)}"`)
    const places = escapes.ok ? [] : escapes.problems.map(({ line, column }) => [line, column])
    assert.deepEqual(
      places,
      Array.from({ length: YAML_LIMITS.problems }, (_, index) => [1, 5 + 2 * index])
    )
  })

  test('as many values as may be are read, one more is refused', async ({ assert }) => {
    const most = YAML_LIMITS.nodes - 1
    assert.isTrue((await frugal.read(`[${'1,'.repeat(most)}]`)).ok)
    assert.deepEqual(codesOf(await frugal.read(`[${'1,'.repeat(most + 1)}]`)), ['yaml_size_limit'])
    assert.isTrue((await frugal.read(numbered(most / 2, (index) => `${index}: 1\n`))).ok)
    const quoted = numbered(9000, (index) => `"${index}":"",`)
    assert.isTrue((await frugal.read(`{${quoted}}`)).ok)
  })
})

const piece = fc.constantFrom(
  ...'-?:,[]{}&*!|>\'"%@`#\n\r\t ~\\1a',
  ...['- ', '? ', ': ', 'a: ', ', ', '&a ', '*a ', '! ', '!a ', '!!str ', '!<a> ', '|+\n', '""'],
  ...['\n ', '\n  ', '\r\n', ' #x\n', '---\n', '...\n', '%TAG ! x\n', '<<: ', '\\q', '\\U'],
  ...['[a]: 1\n', '- a: 1\n', 'a: |\n x\n', '\uD800', '\u{1F600}', '\uFEFF', '\x02', '\x1f']
)

function codesOf(result: YamlResult): string[] {
  return result.ok ? [] : result.problems.map((problem) => problem.code)
}

function checkProblems(result: YamlResult): void {
  if (result.ok) return
  const { problems } = result
  const isFine = problems.every(
    ({ message, line, column }) => message.length < 500 && line > 0 && column > 0
  )
  if (!isFine || problems.length === 0 || problems.length > YAML_LIMITS.problems) {
    throw new Error(JSON.stringify(problems.slice(0, 3)))
  }
  if (codesOf(result).includes('yaml_too_costly')) throw new Error('It takes too much memory')
}
