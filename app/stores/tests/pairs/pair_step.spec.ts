import { test } from '@japa/runner'
import { pairStep, type PairSide } from '../../pairs/pair_step.js'

const PROGRESS = ['open', 'ready', 'out', 'left'] as const
const YES_OR_NO = [false, true]

/** Every state of one side of a pair. */
const SIDES: PairSide[] = PROGRESS.flatMap((status) =>
  YES_OR_NO.flatMap((isStopped) =>
    YES_OR_NO.map((isWithdrawn) => ({ status, isStopped, isWithdrawn }))
  )
)

const CASES = YES_OR_NO.flatMap((isTakenOff) =>
  SIDES.flatMap((apple) => SIDES.map((google) => ({ isTakenOff, apple, google })))
)

type Case = (typeof CASES)[number]

const isWaiting = ({ status }: PairSide) => status === 'open' || status === 'ready'
const isAgainst = ({ status, isStopped, isWithdrawn }: PairSide) =>
  status === 'left' || isStopped || isWithdrawn

/**
 * The rows of the table in the decision, written independently: each case is in exactly one of
 * them.
 */
const ROWS: [what: string, is: (given: Case) => boolean, step: string][] = [
  [
    'neither waits to go out',
    ({ apple, google }) => !isWaiting(apple) && !isWaiting(google),
    'over',
  ],
  [
    'taken off, and one of them was stopped, withdrawn or is over',
    ({ isTakenOff, apple, google }) =>
      isTakenOff &&
      (isWaiting(apple) || isWaiting(google)) &&
      (isAgainst(apple) || isAgainst(google)),
    'ended',
  ],
  [
    'not taken off, and the other one does not wait',
    ({ isTakenOff, apple, google }) => !isTakenOff && isWaiting(apple) !== isWaiting(google),
    'alone',
  ],
  [
    'both wait, or one is out by their takeoff, and one is not ready',
    ({ isTakenOff, apple, google }) =>
      (isTakenOff
        ? !isAgainst(apple) && !isAgainst(google)
        : isWaiting(apple) && isWaiting(google)) &&
      (apple.status === 'open' || google.status === 'open'),
    'waits',
  ],
  [
    'both are ready, and nobody took them off',
    ({ isTakenOff, apple, google }) =>
      !isTakenOff && apple.status === 'ready' && google.status === 'ready',
    'due',
  ],
  [
    'taken off, nothing is against it, and none is open',
    ({ isTakenOff, apple, google }) =>
      isTakenOff &&
      !isAgainst(apple) &&
      !isAgainst(google) &&
      apple.status !== 'open' &&
      google.status !== 'open' &&
      (apple.status === 'ready' || google.status === 'ready'),
    'asks',
  ],
]

test.group('The next step of a pair', () => {
  for (const [what, isRow, step] of ROWS) {
    test(`${what}: ${step}`, ({ assert }) => {
      const found = CASES.filter(isRow)
      assert.isNotEmpty(found)
      for (const { isTakenOff, apple, google } of found) {
        assert.equal(pairStep(isTakenOff, { apple, google }).kind, step)
      }
    })
  }

  test('each case is in exactly one row', ({ assert }) => {
    assert.lengthOf(CASES, 512)
    for (const given of CASES) {
      const rows = ROWS.filter(([, isRow]) => isRow(given))
      assert.lengthOf(rows, 1, JSON.stringify(given))
    }
  })

  test('the App Store is called once Android is out, and Google Play before that', ({ assert }) => {
    for (const { isTakenOff, apple, google } of CASES) {
      const step = pairStep(isTakenOff, { apple, google })
      if (step.kind === 'asks') assert.equal(step.side === 'apple', google.status === 'out')
      if (step.kind !== 'waits') continue
      assert.equal(step.for.includes('apple'), apple.status === 'open')
      assert.equal(step.for.includes('google'), google.status === 'open')
    }
  })
})
