import fc from 'fast-check'
import { test } from '@japa/runner'
import { boundContent } from '#releases/approvals/approved_content'
import { storeTextsExtension } from '#releases/texts/store_texts_extension'
import type { StepRow } from '#releases/queries/step_rows'
import type { ReleaseRow } from '#releases/queries/read_release'
import { runs } from '#tests/support/effort'

/** Returns a metadata step with the members that approvals depend on. */
const step = (id: string, whatsNew?: string) =>
  ({
    id,
    type: 'metadata',
    name: id,
    notes: whatsNew === undefined ? {} : { localizations: [{ locale: 'en-US', whatsNew }] },
  }) as unknown as StepRow

const release = {} as ReleaseRow

/** Returns the hash of a build and texts, in the form that extensions provide. */
const hashOf = (build: string | null, steps: readonly StepRow[]) =>
  boundContent([
    ...(build === null ? [] : [{ chosenBuild: build }]),
    storeTextsExtension.facts!.approved!(release, steps)!.content,
  ]).hash

const content = fc.record({
  build: fc.constantFrom(null, 'build_1', 'build_2'),
  texts: fc.uniqueArray(fc.tuple(fc.constantFrom('one', 'two'), fc.constantFrom('a', 'b')), {
    selector: ([id]) => id,
    maxLength: 2,
  }),
})

/** Returns a canonical text of a content, to compare contents independently of the hash. */
const canonical = ({ build, texts }: { build: string | null; texts: [string, string][] }) =>
  JSON.stringify([build, ...texts.map((each) => JSON.stringify(each)).sort()])

test.group('The hash of approved content', () => {
  test('two hashes are equal if and only if build and texts are equal', ({ assert }) => {
    const hash = ({ build, texts }: { build: string | null; texts: [string, string][] }) =>
      hashOf(
        build,
        texts.map(([id, whatsNew]) => step(id, whatsNew))
      )
    fc.assert(
      fc.property(content, content, (one, other) => {
        assert.equal(hash(one) === hash(other), canonical(one) === canonical(other))
      }),
      { numRuns: runs(500) }
    )
  })

  test('steps without texts and the order of steps do not matter', ({ assert }) => {
    const [one, two] = [step('one', 'Faster.'), step('two', 'Safer.')]
    const hash = (...steps: StepRow[]) => hashOf(null, steps)
    assert.equal(hash(one, two), hash(two, step('three'), one))
    assert.equal(hash(), hash(step('one')))
    assert.notEqual(hash(one), hash(step('two', 'Faster.')))
  })

  test('the hash does not change, because stored votes contain it', ({ assert }) => {
    assert.equal(
      hashOf(null, []),
      'ec70a7bf6ad451d33ab0d2ab70310916531972b489c27d18407538f4bdc9baf8'
    )
    assert.equal(
      hashOf(null, [step('two', 'Safer.'), step('three'), step('one', 'Faster.')]),
      'dca8487f7bd50ee99e2b72f7a390281b8ef8f68974e0d801f8adf92543e16d0c'
    )
  })

  test('a part without content does not change the hash', ({ assert }) => {
    const texts = { texts: [['one', 'hash']] }
    const { hash } = boundContent([texts])
    assert.equal(boundContent([texts, {}, { chosenBuild: null }]).hash, hash)
    assert.equal(boundContent([{ fixes: undefined }, texts, { fixes: null }]).hash, hash)
    assert.notEqual(boundContent([texts, { fixes: ['one'] }]).hash, hash)
    assert.deepEqual(
      boundContent([{ fixes: ['one'] }, { beta: 1 }, texts]),
      boundContent([texts, { beta: 1 }, { fixes: ['one'] }])
    )
  })
})
