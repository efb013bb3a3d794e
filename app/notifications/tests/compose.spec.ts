import { test } from '@japa/runner'
import { compose, type Facts } from '../compose.js'
import { possiblePresses } from '../living/possible_presses.js'
import { addedLines } from '../lines.js'

const FACTS: Facts = {
  app: 'Acme iOS',
  version: '4.2.0',
  lines: [
    { key: '', what: 'Regression testing: inProgress → failed', by: 'Grace Hopper', comment: null },
  ],
  waiting: [],
  warnings: [],
  next: null,
  zone: 'Europe/Berlin',
  link: null,
}
const line = (what: string) => ({ key: what, what, by: null, comment: null })

test.group('A message', () => {
  test('names the event, why the release does not move and who is next', ({ assert }) => {
    const { text, blocks } = compose({
      ...FACTS,
      lines: [{ ...FACTS.lines[0], comment: 'It crashes on iOS 18' }],
      waiting: [
        { message: 'The required step "Approvals" is not complete.', who: ['Approvers', 'Ada'] },
      ],
      next: { at: '2026-11-19T08:30:00.000Z', message: 'The release is submitted' },
    })
    assert.deepEqual(text.split('\n'), [
      'Acme iOS 4.2.0',
      'Regression testing: inProgress → failed (Grace Hopper)',
      '“It crashes on iOS 18”',
      'Waiting for: The required step "Approvals" is not complete. → Approvers, Ada',
      'Automatically: The release is submitted, Thu 19 Nov 2026 09:30 (Europe/Berlin)',
    ])
    assert.deepEqual(
      blocks?.map(({ kind }) => kind),
      ['heading', 'text', 'facts']
    )
  })

  test('shows times of a day in the zone of the app, on both sides of a clock change', ({
    assert,
  }) => {
    const lines = ['2026-10-24T23:30:00.000Z', '2026-10-25T01:30:00.000Z'].map(line)
    const [, first, second] = compose({ ...FACTS, lines }).text.split('\n')
    assert.equal(first, 'Sun 25 Oct 2026 01:30 (Europe/Berlin)')
    assert.equal(second, 'Sun 25 Oct 2026 02:30 (Europe/Berlin)')
  })

  test('has at most three reasons and four people for each', ({ assert }) => {
    const who = ['a', 'b', 'c', 'd', 'e', 'f']
    const waiting = Array.from({ length: 5 }, (_, index) => ({ message: `Reason ${index}`, who }))
    const { text } = compose({ ...FACTS, waiting })
    assert.deepEqual(text.split('\n').slice(2), [
      'Waiting for: Reason 0 → a, b, c, d, 2 more',
      'Waiting for: Reason 1 → a, b, c, d, 2 more',
      'Waiting for: Reason 2 → a, b, c, d, 2 more',
      'Waiting for: 2 more',
    ])
  })

  test('notes warnings, and ends the next automatic action without a full stop', ({ assert }) => {
    const { text } = compose({
      ...FACTS,
      warnings: [{ message: 'A fix is not in the build.', who: ['Ada'] }],
      next: { at: '2026-11-19T08:30:00.000Z', message: 'It is being halted, as Ada decided.' },
    })
    assert.deepEqual(text.split('\n').slice(2), [
      'Note: A fix is not in the build. → Ada',
      'Automatically: It is being halted, as Ada decided, Thu 19 Nov 2026 09:30 (Europe/Berlin)',
    ])
  })

  test('ends with a link to the page, as text and as a block', ({ assert }) => {
    const link = { label: 'Open the release', url: 'https://tarmac.acme.example/page' }
    const { text, blocks } = compose({ ...FACTS, link })
    assert.equal(text.split('\n').at(-1), 'Open the release: https://tarmac.acme.example/page')
    assert.deepEqual(blocks?.at(-1), { kind: 'link', value: link })
    assert.notInclude(compose(FACTS).text, 'http')
  })

  test('has the app alone as its heading if it belongs to no release', ({ assert }) => {
    const { text } = compose({ ...FACTS, version: null })
    assert.equal(text.split('\n')[0], 'Acme iOS')
  })
})

test.group('The lines of a message', () => {
  const of = (type: string, more: object = {}) => ({ ...line(type), key: `${type} `, ...more })
  const submitted = of('release.submitted')
  const state = of('appStoreVersion.statusUpdated')

  test('leave out a state of the store before a line that says the same, but no later one', ({
    assert,
  }) => {
    assert.deepEqual(addedLines([state], [submitted]), [submitted])
    assert.deepEqual(addedLines([submitted], [state]), [submitted, state])
  })

  test('keep the lines that the history has', ({ assert }) => {
    const notified = { ...submitted, notified: true as const }
    assert.deepEqual(addedLines([notified], [state]), [notified, state])
    const former = { ...state, notified: true as const }
    assert.deepEqual(addedLines([former], [submitted]), [former, submitted])
  })
})

test('a late fix that merges a branch is approved up to the commit that its button names', ({
  assert,
}) => {
  const none = { commits: [], pullRequests: [], approvals: [], ticketId: null }
  const fix = (id: string, mergeHead: string | null, approvals: object[] = []) => ({
    ...none,
    id,
    title: id,
    wayIn: 'backMerge',
    requiredApprovals: 1,
    mergeHead,
    approvals,
  })
  const given = {
    release: { appId: 'acme', publicId: 'acme:4.2.0', version: '4.2.0', status: 'active' },
    why: { phase: 'kickedOff' },
    facts: { steps: [], items: [] },
    red: 'none',
    isOtherInStore: false,
    fixes: [fix('known', 'a'.repeat(40)), fix('unknown', null)],
  }
  const presses = possiblePresses(given as unknown as Parameters<typeof possiblePresses>[0])
  assert.deepEqual(
    presses.map(({ label, body }) => [label, body]),
    [['Approve fix aaaaaaa: known', { mergesCommit: 'a'.repeat(40) }]]
  )
})
