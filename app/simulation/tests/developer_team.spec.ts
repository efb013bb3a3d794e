import { test } from '@japa/runner'
import { planOf, rehearsed } from './support/rehearsed.js'
import { LONG, isLong } from '#tests/support/effort'

const did = ({ reported }: Awaited<ReturnType<typeof rehearsed>>) =>
  reported.flatMap(({ kind, text }) => (kind === 'did' ? [text] : []))

/** Returns the example with a scenario of its own. */
const planWith = async (scenario: string, more: Parameters<typeof planOf>[1] = {}) => ({
  ...(await planOf('happy-train', more)),
  scenario,
})

/** The places of the code; the usual run uses the real repository. */
const PLACES = (
  [
    ['the world', false],
    ['git', true],
  ] as const
).filter(([, hasRepository]) => hasRepository || isLong)

test.group('The developers of a rehearsed app', (group) => {
  group.each.timeout(400_000)

  for (const [where, hasRepository] of PLACES) {
    test(`open pull requests with their tickets, and merge them, in a repository of ${where}`, async ({
      assert,
    }) => {
      const days = hasRepository ? 2 : 11
      const plan = await planOf('rejected', { days, hasRepository })
      const played = await rehearsed(plan)
      const [opened, merged, next] = did(played)
      assert.match(opened, /^\w+ opens the pull request #1: SHOP-10001 /)
      assert.match(merged, /^\w+ merges #1: SHOP-10001 /)
      if (hasRepository) return
      assert.match(next, /^\w+ opens the pull request #2: SHOP-10002 /)
      // A ticket merged before the kickoff of 1.1.0 is ready in it.
      assert.match(played.text, /1\.1\.0 was drafted[^]*Features: \w+ → complete/)
    })
  }

  for (const [where, hasRepository] of PLACES) {
    test(`improve what fails its checks, and leave it if ${where} refuses it`, async ({
      assert,
    }) => {
      const failing = 'name: Failing\nversionControl: { failingChecks: 100, protected: [main] }\n'
      const actions = did(await rehearsed(await planWith(failing, { days: 4, hasRepository })))
      assert.match(actions[1], /^\w+ changes #1, as its checks fail$/)
      assert.lengthOf(
        actions.filter((each) => /changes #1/.test(each)),
        3
      )
      assert.match(actions[4], /^\w+ leaves #1: the host does not take it$/)
      assert.isEmpty(actions.filter((each) => /merges #1/.test(each)))
    }).tags([LONG])
  }

  test('do what reviewers want, and nothing while the host is away', async ({ assert }) => {
    const wanting =
      'name: Wanting\nversionControl: { failingChecks: 0, changesRequested: 100, review: 30m }\nmoments:\n  - { what: outage, of: versionControl, at: 0h, lasting: 8h }\n'
    const { reported } = await rehearsed(await planWith(wanting, { days: 3 }))
    const coded = reported.filter(({ kind }) => kind === 'did')
    assert.isAtLeast(Date.parse(coded[0].at), Date.parse('2026-01-05T16:00:00Z'))
    assert.match(coded[1].text, /as reviewers want changes$/)
    assert.isTrue(coded.some(({ text }) => /merges #1/.test(text)))
  }).tags([LONG])

  test('nobody opens anything without version control', async ({ assert }) => {
    const plan = await planOf('happy-train', { days: 2 })
    const configuration = plan.configuration
      .replace(/^ {2}code: .*$/m, '')
      .replace(/branchSettings:\n.*\n/, '')
      .replace(/x-automations:\n.*\n/, '')
    assert.isEmpty(did(await rehearsed({ ...plan, configuration })))
  })
})
