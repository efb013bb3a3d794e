import { test } from '@japa/runner'
import { exampleReleaseItem } from '#checklists/examples'
import { exampleItem } from '#features/examples'
import { exampleFixRequest, exampleTriageIssue } from '#fixes/examples'
import { unrestricted } from '#foundation/core/principal'
import { Problem } from '#foundation/core/problems/problem'
import type { RolloutInStore } from '#rollouts/rollout_entity'
import { renderTemplate } from '../../frame/engine.js'
import type { Refused } from '../../frame/page.js'
import { attributes, textOf } from '../../tests/support.js'
import { nextMoveOf } from '../../words/obstacles.js'
import type { Feature, Item } from '../answers.js'
import { itemsOf } from '../items.view.js'
import { betaOf } from '../steps/beta.view.js'
import { buildOf } from '../steps/build.view.js'
import { featuresOf } from '../steps/features.view.js'
import { regressionOf } from '../steps/regression.view.js'
import { reviewOf } from '../steps/review.view.js'
import { releaseView } from '../view.js'
import { answers, BASE, call, command, NOW, reader, rollout, store } from './example_release.js'

/** The members of a frame that parts of a page read. */
const frame = { hidden: '', hiddenKey: '', inPlace: '' }

test.group('The view of a release', () => {
  test('keeps a refused percentage, and says that something changed', ({ assert }) => {
    const view = (problem: Problem | null, tag?: string) => {
      const refused: Refused | null = problem && {
        ...{ problem, action: `${BASE}/rollout`, fields: { action: 'set', percentage: '12,5' } },
        ...(tag !== undefined && { tag }),
      }
      return releaseView(answers({ rollout: rollout(store('google', 'active')) }), {
        ...call,
        refused,
      })
    }
    assert.deepEqual([view(null).stores[0].typed, view(null).stores[0].tag], ['', '"a"'])
    const shown = view(new Problem('precondition_failed'))
    assert.equal(shown.stores[0].typed, '12,5')
    assert.equal(shown.refusal, 'Somebody changed this in the meantime. Your text is kept below.')
    assert.equal(view(new Problem('precondition_failed'), '"before"').stores[0].tag, '"a"')
    // A form refused for another reason keeps the tag seen before.
    for (const code of ['form_stale', 'invalid_input', 'store_busy'] as const)
      assert.equal(view(new Problem(code), '"before"').stores[0].tag, '"before"', code)
    assert.isNull(shown.steer?.tag)
    const text = renderTemplate('release/store', { frame, store: shown.stores[0] })
    assert.include(attributes(text, 'value'), '12,5')
  })

  test('names who can act on a coming end, which is no move of the release', ({ assert }) => {
    const who = [{ type: 'releasePilot', id: 'user_x', name: 'Grace' }]
    const end = { at: NOW, what: 'certificateEnd', message: 'The certificate ends.', who }
    const rung = { at: NOW, what: 'rolloutStage', message: 'The rollout rises to 20 %.' }
    const given = answers()
    const next = [end, rung]
    const held = { ...given.held, whyNotMoving: { release: [], warnings: [], next } }
    const shown = releaseView({ ...given, held }, call).next
    assert.deepEqual(
      shown.map(({ who: whoActs }) => whoActs),
      ['Waiting for Grace.', null]
    )
    assert.equal(nextMoveOf(next), rung)
    assert.isNull(nextMoveOf([end]))
  })

  test('offers another share only if the store accepts one', ({ assert }) => {
    const offered = (...stores: RolloutInStore[]) =>
      releaseView(answers({ rollout: rollout(...stores) }), call).stores.map(({ maySet }) => maySet)
    const halted = store('google', 'halted')
    const whole = { ...halted, phased: { ...halted.phased, percentage: 100 } }
    const asked = store('google', 'active', { command: command('halt') }, 'halt')
    const all = [store('google', 'active'), store('apple', 'active'), halted, asked, whole]
    assert.deepEqual(offered(...all), [true, false, false, false, true])
  })

  test('lists ten issues, folds the others, and says where more may be', ({ assert }) => {
    const issues = Array.from({ length: 12 }, (_, index) => ({
      ...exampleTriageIssue,
      title: `Issue ${index}`,
    }))
    const { work } = releaseView(answers({ issues, isAllIssues: false }), call)
    assert.deepEqual(
      [work?.count, work?.rows.length, work?.foldedText],
      ['12 open issues', 10, '2 more']
    )
    assert.deepEqual([work?.rows[0].status.word, work?.rows[0].note], ['Open', '388 users'])
    assert.match(work?.note ?? '', /newest 1,000 open issues/)
    assert.equal(work?.rows[0].href, exampleTriageIssue.sourceUrl)
    assert.isNull(releaseView(answers(), call).work)
  })

  test('names the commit for which a merge is approved', ({ assert }) => {
    const { work } = releaseView(
      answers({
        fixes: ['3e8d1a2b9c'.repeat(4), null].map((mergesCommit) => ({
          ...{ ...exampleFixRequest('created'), tag: '"f"' },
          ...{ wayIn: 'backMerge' as const, mergesCommit },
        })),
      }),
      call
    )
    assert.deepEqual(
      work?.rows.map(({ note }) => note),
      ['0 of 1 approval · merges 3e8d1a2', '0 of 1 approval']
    )
    // Without a known commit, it cannot be approved.
    assert.deepEqual(
      work?.rows.map(({ approve }) => approve !== null),
      [true, false]
    )
  })

  test('offers no approval to the requester where somebody else has to approve', ({ assert }) => {
    const { id, name } = reader.principal.actor
    const isOffered = (members: object) => {
      const fix = { ...exampleFixRequest('created'), tag: '"f"', ...members }
      return releaseView(answers({ fixes: [fix] }), call).work?.rows[0].approve !== null
    }
    const requester = { id: id!, name, email: null }
    assert.isTrue(isOffered({ fourEyes: true }))
    assert.isTrue(isOffered({ fourEyes: false, requester }))
    assert.isFalse(isOffered({ fourEyes: true, requester }))
  })
})

/** Renders a part of a step with the strict view, which throws for a missing member. */
const shown = (name: string, step: object) =>
  textOf(renderTemplate(`release/steps/${name}`, { frame, view: { step } }))

test.group('The page of a step by its type', () => {
  test('store review shows a rejection in full, in the words of the store', ({ assert }) => {
    const version = {
      ...{ type: 'apple', version: '4.2.0', destinationId: null, updatedAt: NOW },
      apple: { appStoreState: 'METADATA_REJECTED' },
      rejection: { reason: 'Guideline 2.1', details: 'We found <b>a crash</b>.\n\nNext steps' },
    }
    const review = reviewOf({ appStoreVersion: version }, reader)
    const text = shown('review', { review })
    assert.match(text, /^Metadata rejected in the App Store\. Last change seen today 11:07\./)
    assert.include(text, 'Guideline 2.1 We found <b>a crash</b>. Next steps')
    const google = { ...version, type: 'google', google: { reviewStatus: 'inReview' } }
    const inReview = reviewOf({ appStoreVersion: { ...google, rejection: null } }, reader)
    assert.notInclude(shown('review', { review: inReview }), 'reason')
    assert.include(shown('review', { review: inReview }), 'In review in Google Play')
    assert.isNull(reviewOf({ appStoreVersion: null }, reader))
  })

  test('beta testing shows who has which build, and why the store refused', ({ assert }) => {
    const asked = { askedAt: NOW, askedBy: { name: 'Ada' }, reason: null, action: null }
    const beta = betaOf(
      [
        {
          ...{ appStoreBuildId: 'b1', buildNumber: '4711', groups: ['QA', 'Friends'] },
          ...{ ...asked, notes: [{ locale: 'en-US', text: 'Try to log in.' }], state: 'sent' },
        },
        {
          ...{ appStoreBuildId: 'b2', buildNumber: '4712', groups: ['Nobody'], notes: [] },
          ...{ ...asked, state: 'refused', reason: 'No such group.', action: 'Name QA.' },
        },
      ],
      [
        ...['b1', 'b3'].map((id) => ({
          ...{ id, buildNumber: '4713', version: '4.2.0', selected: false },
          processingState: 'PROCESSING',
        })),
      ],
      reader
    )
    assert.equal(
      shown('beta', { beta }),
      'Build 4711 QA, Friends Ada, today 11:07 With testers en-US Try to log in. Build 4712 Nobody Ada, today 11:07 No such group. Name QA. Refused 4.2.0 (4713) Processing, in the store'
    )
  })

  test('regression testing shows test runs with their failures, and only safe links', ({
    assert,
  }) => {
    const data = {
      ...{ regressionStatus: 'failed', items: [] },
      verdict: {
        ...{ status: 'passed', setBy: null, setAt: null, comment: null, failedItems: 1 },
        ...{ url: 'javascript:alert(1)', explanation: 'It overrides 1 failed item.' },
      },
      testRuns: [
        {
          ...{ id: '7', name: 'Smoke', url: 'https://t.example/7', provider: 'testrail' },
          ...{ total: 10, passed: 80 },
          statuses: [
            { type: 'passed', label: 'OK', count: 8 },
            { type: 'retest', label: 'Again', count: 2 },
            { type: 'skipped', label: 'Skipped', count: 0 },
          ],
          failures: [{ id: '1', title: 'Log out', status: 'Broken', assignee: null }],
        },
      ],
    } as const
    const about = { address: BASE, run: 'run_1', tag: '"t"', reader, refused: null }
    const regression = regressionOf(data as never, about)
    const step = { type: 'regressionTesting', regression }
    assert.equal(
      shown('regression', step),
      'Passed is the verdict, set by hand. It overrides 1 failed item. Smoke testrail 8 passed, 2 to be tested again 80 % passed Log out Broken'
    )
    const form = renderTemplate('release/steps/verdict', { frame, view: { step } })
    assert.includeMembers(attributes(form, 'value'), ['run_1', '"t"', 'passed', 'failed'])
    assert.notInclude(
      renderTemplate('release/steps/regression', { frame, view: { step } }),
      'href="java'
    )
    const guest = { ...reader, may: () => false }
    assert.isNull(regressionOf(data as never, { ...about, reader: guest }).form)
  })

  test('required items come first, and stay in place when they are done', ({ assert }) => {
    const item = (title: string, type: 'passed' | 'notStarted', required: boolean) => ({
      ...{ ...exampleReleaseItem, id: title, title, required, tag: `"${title}"` },
      status: { ...exampleReleaseItem.status!, type },
    })
    const all = [
      item('may', 'notStarted', false),
      item('done', 'passed', true),
      item('must', 'notStarted', true),
    ]
    const { rows, count } = itemsOf(all, { address: BASE, pilotId: null }, reader, null)
    assert.deepEqual([count, rows.map(({ title }) => title)], ['1 of 3', ['done', 'must', 'may']])
    assert.deepEqual(rows[1].tag, '"must"')
  })

  test('items have buttons for those who may use them, approvals also for their owners', ({
    assert,
  }) => {
    let pilotId: string | null = null
    const offered = (kind: Item['kind'], actions: readonly string[], members = {}) => {
      const status = { ...exampleReleaseItem.status!, type: 'inProgress' as const }
      const item = { ...exampleReleaseItem, ...{ kind, status, tag: '"a"' }, ...members }
      const permissions = { ...unrestricted, admin: false, actions: new Set(actions) }
      const of = { ...reader, principal: { ...reader.principal, permissions } }
      const [row] = itemsOf([item], { address: BASE, pilotId }, of, null).rows
      return [...row.buttons, ...row.more].map(({ word }) => word).concat(row.undo?.word ?? [])
    }
    const ada = { type: 'user' as const, id: 'user_ada', name: 'Ada Lovelace' }
    assert.deepEqual(offered('checklist', ['UpdateRegressionTesting']), [])
    assert.deepEqual(offered('checklist', [], { owners: [ada] }), [])
    const all = ['Pass', 'Fail', 'Blocked', 'Does not apply', 'Undo']
    assert.deepEqual(offered('regression', ['UpdateRegressionTesting']), all)
    const voted = (id: string) => ({ approvals: [{ actor: { ...ada, id }, at: NOW }] })
    assert.deepEqual(offered('approval', [], voted('user_grace')), [])
    assert.deepEqual(offered('approval', [], { owners: [ada], ...voted('user_grace') }), [
      ...['Approve', 'Reject', 'Withdraw all approvals'],
    ])
    // The owner may be whoever is the pilot.
    const byPilot = { owners: [{ type: 'releasePilot' as const, id: null, name: 'Release pilot' }] }
    assert.deepEqual(offered('approval', [], byPilot), [])
    pilotId = reader.principal.actor.id
    assert.deepEqual(offered('approval', [], byPilot), ['Approve', 'Reject', 'Undo'])
    assert.deepEqual(offered('approval', ['UpdateApprovalItemStatus'], voted('user_ada')), [
      ...['Reject', 'Withdraw all approvals'],
    ])
  })

  test('features that are not ready come first, with the number of hidden ones', ({ assert }) => {
    const items = Array.from({ length: 102 }, (_, index): Feature => ({
      ...exampleItem,
      id: `wi_${index}`,
      ready: index < 100,
      reason: index < 100 ? 'ready' : 'missingCode',
    }))
    const view = featuresOf({ items, isAll: true }, BASE, {}, reader)
    assert.deepEqual(
      view.rows.slice(0, 3).map(({ id }) => id),
      ['wi_100', 'wi_101', 'wi_0']
    )
    assert.equal(view.more, 'and 2 more features. Search to find them.')
    const open = featuresOf({ items, isAll: false }, BASE, { show: 'open', q: 'a&b' }, reader)
    assert.deepEqual([open.rows.length, open.tabs[0].count], [2, '102+'])
    assert.equal(open.tabs[2].href, `${BASE}?q=a%26b&show=ignored`)
    assert.include(shown('features', { features: open }), 'The newest of them, and more.')
  })

  test('a build shows its duration, and may have no files', ({ assert }) => {
    const build = {
      ...{ id: 'b', buildIdentifier: '7', buildStatus: 'success', branch: 'main' },
      ...{ commitHash: '0'.repeat(40), commitMessage: null, commitAuthor: null, commitUrl: null },
      ...{ url: 'javascript:x', startedAt: '2026-11-24T09:43:00.000Z', artifacts: [] },
      finishedAt: NOW,
    }
    const own = answers({ tested: build as never, builds: [build as never] })
    const release = { appId: 'acme', releaseId: 'acme:1.4.0' }
    const { active, earlier, artifacts, changesHref } = buildOf('releaseCandidate', own, {
      ...{ reader, release },
    })
    assert.equal(changesHref, '/dashboard/app/acme/release/acme%3A1.4.0/buildComparison')
    assert.deepEqual([active?.took, active?.url, active?.commit], ['24 min', null, null])
    assert.deepEqual([earlier, artifacts], [[], []])
  })
})
