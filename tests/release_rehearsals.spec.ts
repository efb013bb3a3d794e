import type { Assert } from '@japa/assert'
import { test } from '@japa/runner'
import { isLong, LONG } from './support/effort.js'
import {
  LEGS,
  leaveRehearsal,
  makeRehearsal,
  VENDORS,
  walk,
  type Rehearsal,
  type Troubles,
} from './support/rehearsal/rehearsal.js'
import { appStore, playStore, VERSION, type RehearsedStore } from './support/rehearsal/stores.js'

/*
 * A release of an Android app and of an iOS app with GitHub, Jira, Slack and a store, from the
 * kickoff through a rejected review and a fix to all users. Vendors restart, and refuse requests
 * for a while. All effects are counted at the vendors.
 */

type Plan = Readonly<Partial<Record<(typeof LEGS)[number], Troubles>>>

/** Each vendor restarts once, and refuses requests on two legs. */
const ONCE: Plan = {
  'kickoff': { code: 'restart', tickets: 'limit', chat: 'limit' },
  'dispatch 41': { code: 'limit' },
  'build 41': { store: 'limit' },
  'submit': { store: 'restart', chat: 'restart' },
  'fix': { code: 'limit', tickets: 'restart' },
  'submit again': { chat: 'limit' },
  'rollout': { store: 'limit', tickets: 'limit' },
}

/** Each vendor restarts on every leg on which it is changed. */
const RESTARTS: Plan = {
  'kickoff': { code: 'restart', chat: 'restart' },
  'dispatch 41': { code: 'restart', tickets: 'restart' },
  'submit': { store: 'restart', chat: 'restart' },
  'rejected': { chat: 'restart' },
  'fix': { code: 'restart', tickets: 'restart' },
  'dispatch 42': { code: 'restart' },
  'submit again': { store: 'restart', chat: 'restart' },
  'approved': { chat: 'restart' },
  'rollout': { tickets: 'restart' },
}

/** Every vendor refuses requests at the beginning of every leg. */
const LIMITS: Plan = Object.fromEntries(
  LEGS.map((leg) => [leg, Object.fromEntries(VENDORS.map((vendor) => [vendor, 'limit']))])
)

interface Platform {
  name: string
  store: () => RehearsedStore
  /** States of the version in the store. */
  states: readonly string[]
  /** Words of the history for the rejection, and for the rollout at a percentage. */
  rejection: string
  share: string
  shares: readonly number[]
}

const PLATFORMS: readonly Platform[] = [
  {
    ...{ name: 'Android', store: playStore, rejection: 'in review → not approved' },
    states: [
      '41 inReview, sent 1×',
      '41 rejected, sent 1×',
      '42 inReview, sent 1×',
      '42 rolledOutPartially, sent 1× 1 %',
      '42 rolledOutPartially, sent 1× 20 %',
      '42 rolledOutPartially, sent 1× 50 %',
      '42 live, sent 1× 100 %',
    ],
    ...{ share: 'in progress at', shares: [1, 20, 50] },
  },
  {
    ...{ name: 'iOS', store: appStore, rejection: 'waiting for review → rejected' },
    states: [
      '41 WAITING_FOR_REVIEW, sent 1×',
      '41 REJECTED, sent 1×',
      '42 REJECTED, sent 1×',
      '42 WAITING_FOR_REVIEW, sent 2×',
      '42 PENDING_DEVELOPER_RELEASE, sent 2×',
      '42 PROCESSING_FOR_DISTRIBUTION, sent 2×',
      '42 READY_FOR_DISTRIBUTION, sent 2×',
    ],
    ...{ share: 'active at', shares: [1, 2, 5, 10, 20, 50, 100] },
  },
]

/** Returns the number of occurrences of each text. */
const countsOf = (all: readonly string[]) =>
  Object.fromEntries(
    [...Map.groupBy(all, (each) => each)].map(([each, { length }]) => [each, length])
  )

/** Changes at GitHub, without those of temporary branches, merges and webhooks. */
const lasting = ({ code }: Rehearsal) =>
  code.gate.changes.filter((each) => !/tarmac\/|tarmac%2F|POST merges|hooks/.test(each))

function requireAllOnce(assert: Assert, made: Rehearsal, { states }: Platform): void {
  const { code, tickets, store, chat } = made
  assert.deepEqual(countsOf(lasting(made)), {
    [`POST git/refs refs/heads/release/${VERSION}`]: 1,
    [`POST actions/workflows/release.yml/dispatches release/${VERSION}`]: 2,
    [`PATCH git/refs/heads%2Frelease%2F${VERSION}`]: 1,
    [`POST git/refs refs/tags/v${VERSION}`]: 1,
    [`POST releases v${VERSION}`]: 1,
  })
  const { git, hooks } = code.fake.code
  assert.sameMembers([...git.branches.keys()], ['main', `release/${VERSION}`])
  assert.lengthOf(hooks, 1)
  const fix = 'SHOP-3: Log in again'
  assert.deepEqual(
    code.subjects('v1.2.3', `release/${VERSION}`).filter((each) => each === fix),
    [fix]
  )
  assert.equal(git.named(`v${VERSION}`), git.branches.get(`release/${VERSION}`)!.sha)
  assert.deepEqual(code.builtFrom(), [
    git.commits.get(git.named(`v${VERSION}`)!)!.parents[0],
    git.named(`v${VERSION}`),
  ])

  const added = JSON.stringify([{ add: { name: VERSION } }])
  assert.deepEqual(countsOf(tickets.gate.changes), {
    'version made': 1,
    ...Object.fromEntries([1, 2, 3].map((number) => [`PUT issue/SHOP-${number} ${added}`, 1])),
    'version released: true': 1,
  })
  assert.deepEqual(store.history, states)
  const [living, ...others] = chat.living()
  assert.include(living.text, VERSION)
  // The only other message says what the release waited for.
  assert.lengthOf(others, 1)
  assert.include(others[0].text, `${VERSION} took `)
}

/** Returns the history of the release in Slack, line by line. */
const linesOf = ({ chat }: Rehearsal) =>
  chat
    .history()
    .flatMap(({ text }) => text.split('\n'))
    .filter((line) => !line.startsWith('Open the '))

function requireAllReported(
  assert: Assert,
  made: Rehearsal,
  { rejection, share, shares }: Platform
) {
  const reported = countsOf(linesOf(made))
  const expected = {
    [`${VERSION} was drafted (admin)`]: 1,
    [`${VERSION} was kicked off (admin)`]: 1,
    [`${VERSION} was submitted for review`]: 2,
    [`${VERSION} in the store: ${rejection}`]: 1,
    'Fix requested: Log in (admin)': 1,
    'Fix merged: Log in (admin)': 1,
    [`${VERSION} was released to users`]: 1,
    ...Object.fromEntries(
      shares.map((each) => [`The rollout of ${VERSION} is ${share} ${each} %`, 1])
    ),
  }
  assert.containsSubset(reported, expected)
}

test.group('A release with five vendors', (group) => {
  group.each.teardown(leaveRehearsal)

  for (const platform of PLATFORMS) {
    const { name, store } = platform
    const rehearse = async (assert: Assert, plan: Plan, isHasty: boolean) => {
      const made = await makeRehearsal(store(), isHasty)
      try {
        await walk(made, plan)
        requireAllOnce(assert, made, platform)
        requireAllReported(assert, made, platform)
      } finally {
        made.store.leave()
      }
      const events = countsOf((await made.world.events()).map(({ type }) => type))
      assert.containsSubset(events, {
        ...{ 'release.kickedOff': 1, 'release.submitted': 2, 'release.released': 1 },
        ...{ 'release.tagged': 1, 'fixRequest.merged': 1 },
      })
      return made
    }

    test(`of ${name} reaches all users, and everything happens exactly once, although each vendor restarts once and refuses requests twice`, async ({
      assert,
    }) => {
      const made = await rehearse(assert, ONCE, !isLong)
      for (const [vendor, { restarts, limits, refused }] of Object.entries(made.gates)) {
        assert.deepEqual({ restarts, limits }, { restarts: 1, limits: 2 }, vendor)
        assert.isAtLeast(refused, 2, vendor)
      }
    }).timeout(120_000)

    test(`of ${name} reaches all users although each vendor restarts whenever it is changed`, async ({
      assert,
    }) => {
      await rehearse(assert, RESTARTS, false)
    })
      .tags([LONG])
      .timeout(300_000)

    test(`of ${name} reaches all users although every vendor refuses requests at the beginning of every leg`, async ({
      assert,
    }) => {
      await rehearse(assert, LIMITS, false)
    })
      .tags([LONG])
      .timeout(300_000)
  }
})
