import { test } from '@japa/runner'
import { pairStep, type PairSide } from '../../pairs/pair_step.js'

const PROGRESS = ['open', 'ready', 'out', 'left'] as const
const YES_OR_NO = [false, true]

/** Every state of one side of a pair. */
const SIDES: PairSide[] = PROGRESS.flatMap((is) =>
  YES_OR_NO.flatMap((isStopped) => YES_OR_NO.map((isWithdrawn) => ({ is, isStopped, isWithdrawn })))
)

const CASES = YES_OR_NO.flatMap((isTakenOff) =>
  SIDES.flatMap((apple) => SIDES.map((google) => ({ isTakenOff, apple, google })))
)

type Case = (typeof CASES)[number]

const isWaiting = ({ is }: PairSide) => is === 'open' || is === 'ready'
const isAgainst = ({ is, isStopped, isWithdrawn }: PairSide) =>
  is === 'left' || isStopped || isWithdrawn

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
      (apple.is === 'open' || google.is === 'open'),
    'waits',
  ],
  [
    'both are ready, and nobody took them off',
    ({ isTakenOff, apple, google }) => !isTakenOff && apple.is === 'ready' && google.is === 'ready',
    'due',
  ],
  [
    'taken off, nothing is against it, and none is open',
    ({ isTakenOff, apple, google }) =>
      isTakenOff &&
      !isAgainst(apple) &&
      !isAgainst(google) &&
      apple.is !== 'open' &&
      google.is !== 'open' &&
      (apple.is === 'ready' || google.is === 'ready'),
    'asks',
  ],
]

test.group('The next step of a pair', () => {
  for (const [what, isRow, step] of ROWS) {
    test(`${what}: ${step}`, ({ assert }) => {
      const found = CASES.filter(isRow)
      assert.isNotEmpty(found)
      for (const { isTakenOff, apple, google } of found) {
        assert.equal(pairStep(isTakenOff, { apple, google }).is, step)
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
      if (step.is === 'asks') assert.equal(step.side === 'apple', google.is === 'out')
      if (step.is !== 'waits') continue
      assert.equal(step.for.includes('apple'), apple.is === 'open')
      assert.equal(step.for.includes('google'), google.is === 'open')
    }
  })
})
