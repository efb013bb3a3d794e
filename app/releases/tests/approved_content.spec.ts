import fc from 'fast-check'
import { test } from '@japa/runner'
import { boundContent } from '#releases/approvals/approved_content'
import { storeTextsExtension } from '#releases/texts/store_texts_extension'
import type { StepRow } from '#releases/queries/step_rows'
import type { ReleaseRow } from '#releases/queries/read_release'
import { runs } from '#tests/support/effort'

/** A metadata step as far as approvals look at it. */
const step = (id: string, whatsNew?: string) =>
  ({
    id,
    type: 'metadata',
    name: id,
    notes: whatsNew === undefined ? {} : { localizations: [{ locale: 'en-US', whatsNew }] },
  }) as unknown as StepRow

const release = {} as ReleaseRow

/** The hash of a build and some texts, as the parts of a release give them. */
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

/** Contents as a reader compares them. */
const said = ({ build, texts }: { build: string | null; texts: [string, string][] }) =>
  JSON.stringify([build, ...texts.map((each) => JSON.stringify(each)).sort()])

test.group('The hash of what is approved', () => {
  test('is the same exactly for the same build and texts', ({ assert }) => {
    const hash = ({ build, texts }: { build: string | null; texts: [string, string][] }) =>
      hashOf(
        build,
        texts.map(([id, whatsNew]) => step(id, whatsNew))
      )
    fc.assert(
      fc.property(content, content, (one, other) => {
        assert.equal(hash(one) === hash(other), said(one) === said(other))
      }),
      { numRuns: runs(500) }
    )
  })

  test('steps without texts and the order of steps say nothing', ({ assert }) => {
    const [one, two] = [step('one', 'Faster.'), step('two', 'Safer.')]
    const hash = (...steps: StepRow[]) => hashOf(null, steps)
    assert.equal(hash(one, two), hash(two, step('three'), one))
    assert.equal(hash(), hash(step('one')))
    assert.notEqual(hash(one), hash(step('two', 'Faster.')))
  })

  test('stays what stored votes hold', ({ assert }) => {
    assert.equal(
      hashOf(null, []),
      'ec70a7bf6ad451d33ab0d2ab70310916531972b489c27d18407538f4bdc9baf8'
    )
    assert.equal(
      hashOf(null, [step('two', 'Safer.'), step('three'), step('one', 'Faster.')]),
      'dca8487f7bd50ee99e2b72f7a390281b8ef8f68974e0d801f8adf92543e16d0c'
    )
  })

  test('a part that holds nothing leaves it as it is', ({ assert }) => {
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
