import fc from 'fast-check'
import { test } from '@japa/runner'
import { approvedContentHash, type ApprovedContent } from '#releases/approved_content'

const text = (stepId: string, whatsNew?: string) => ({
  stepId,
  localizations: whatsNew === undefined ? [] : [{ locale: 'en-US', whatsNew }],
})

const content: fc.Arbitrary<ApprovedContent> = fc.record({
  chosenBuild: fc.constantFrom(null, 'build_1', 'build_2'),
  texts: fc.uniqueArray(
    fc
      .tuple(fc.constantFrom('one', 'two'), fc.constantFrom('a', 'b'))
      .map(([stepId, whatsNew]) => text(stepId, whatsNew)),
    { selector: ({ stepId }) => stepId, maxLength: 2 }
  ),
})

/** Contents as a reader compares them. */
const said = ({ chosenBuild, texts }: ApprovedContent) =>
  JSON.stringify([chosenBuild, ...texts.map((each) => JSON.stringify(each)).sort()])

test.group('The hash of what is approved', () => {
  test('is the same exactly for the same build and texts', ({ assert }) => {
    fc.assert(
      fc.property(content, content, (one, other) => {
        assert.equal(
          approvedContentHash(one) === approvedContentHash(other),
          said(one) === said(other)
        )
      }),
      { numRuns: 500 }
    )
  })

  test('steps without texts and the order of steps say nothing', ({ assert }) => {
    const hash = (...texts: ApprovedContent['texts']) =>
      approvedContentHash({ chosenBuild: null, texts })
    const [one, two] = [text('one', 'Faster.'), text('two', 'Safer.')]
    assert.equal(hash(one, two), hash(two, text('three'), one))
    assert.equal(hash(), hash({ stepId: 'one', localizations: undefined }))
    assert.notEqual(hash(one), hash({ ...one, stepId: 'two' }))
  })
})
