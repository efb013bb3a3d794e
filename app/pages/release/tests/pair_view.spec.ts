import { test } from '@japa/runner'
import { unrestricted } from '#foundation/core/principal'
import { Problem } from '#foundation/core/problems/problem'
import { exampleRollout } from '#rollouts/examples'
import type { RolloutInStore } from '#rollouts/rollout_entity'
import { examplePair } from '#stores/pairs/pair_entity'
import { renderTemplate } from '../../frame/engine.js'
import type { Reader } from '../../frame/page.js'
import { attributes, textOf } from '../../tests/support.js'
import { warningText } from '../../words/plain.js'
import { goesOnOf, pairOf, partView } from '../pair.view.js'
import type { PairAnswers, ReleaseOfApp } from '../read_pair.js'

const NOW = '2026-11-24T10:07:00.000Z'
const BASE = '/dashboard/app/acme-ios/release/acme-ios%3A4.2.0'

const reader: Reader = {
  account: { id: 'acc_ada', name: 'Ada Lovelace', email: 'ada@acme.example' },
  principal: {
    organization: { id: 'org_acme', name: 'Acme', requireIfMatch: false },
    actor: { type: 'user', id: 'user_ada', name: 'Ada Lovelace' },
    permissions: unrestricted,
  },
  zone: 'Europe/Berlin',
  locale: 'en-GB',
  theme: null,
  now: NOW,
  may: () => true,
}
const guest: Reader = { ...reader, may: () => false }

const frame = { hidden: '', hiddenKey: '', inPlace: '' }

const android: ReleaseOfApp = {
  app: { id: 'acme-android', name: 'Acme <b>', platform: 'android', appGroup: null },
  id: 'acme-android:4.2.0',
  version: '4.2.0',
}
const [example] = exampleRollout().stores

/** Returns a rollout in one store with a given status. */
const rollout = (status: RolloutInStore['phased']['status'], isStopped = false) => ({
  ...exampleRollout(),
  stores: [
    {
      ...example,
      phased: { ...example.phased, status, percentage: 20 },
      decided: { ...example.decided, rollout: null },
      command: null,
      whyNotStoppable: status === 'replaced' ? 'A later version took its place.' : null,
      stopped: isStopped
        ? {
            how: 'redButton' as const,
            at: NOW,
            by: reader.principal.actor,
            reason: null,
            triageIssueId: null,
          }
        : null,
    },
  ],
})

const joined = (members: Partial<PairAnswers> = {}): PairAnswers => ({
  ...{ pair: examplePair, other: { ...android, rollout: rollout('active') }, choices: null },
  ...members,
})
const free: PairAnswers = { pair: null, other: null, choices: [android] }

const about = { base: BASE, tag: '"t"', reader, refused: null }

/** Renders a pair with the strict view, which throws for a missing member. */
const markup = (...of: Parameters<typeof pairOf>) =>
  renderTemplate('release/pair', { frame, view: { pair: pairOf(...of) } })

test.group('A pair on the page of a release', () => {
  test('names the other release, and who started the takeoff of both', ({ assert }) => {
    const html = markup(joined(), about)
    assert.equal(
      textOf(html),
      'Goes out together Separate them It goes out together with Acme <b> Android 4.2.0 . Ada Lovelace started the takeoff of both today 10:00.'
    )
    assert.deepEqual(attributes(html, 'href'), [
      `${BASE}/pair/part`,
      '/dashboard/app/acme-android/release/acme-android%3A4.2.0',
    ])
    const pair = { ...examplePair, takenOff: null }
    assert.include(
      textOf(markup(joined({ pair }), about)),
      '. Nobody has started the takeoff of both.'
    )
    const by = { type: 'automation' as const, id: null, name: 'releaseOnTargetDate' }
    const dated = { ...examplePair, takenOff: { by, at: NOW } }
    assert.notInclude(textOf(markup(joined({ pair: dated }), about)), 'releaseOnTargetDate')
  })

  test('hides the id of an app that the reader does not see, and the link to part from those who may not', ({
    assert,
  }) => {
    const pair = { ...examplePair, releaseId: null }
    const html = markup(joined({ pair, other: null }), { ...about, reader: guest })
    assert.include(
      textOf(html),
      'It goes out together with the Android release of its pair, whose app you do not see.'
    )
    assert.deepEqual(attributes(html, 'href'), [])
  })

  test('is joined by a form that keeps what was typed, if joining is offered', ({ assert }) => {
    assert.isNull(pairOf({ ...free, choices: null }, about))
    const html = markup(free, about)
    assert.notMatch(html, /<details[^>]* open/)
    assert.include(html, 'value="acme-android:4.2.0"')
    assert.include(html, 'Acme &lt;b&gt; Android 4.2.0</option>')
    const refused = {
      ...{ action: `${BASE}/pair`, problem: new Problem('managed_publishing_needed') },
      fields: { releaseId: '"><i>', managedPublishing: 'yes' },
    }
    const again = markup(free, { ...about, refused })
    assert.match(again, /<details[^>]* open/)
    assert.match(again, /type="checkbox"[^>]*checked/)
    assert.notInclude(again, '<i>')
    assert.include(attributes(again, 'value'), '"><i>')
    const elsewhere = { ...refused, action: `${BASE}/rollout` }
    assert.notMatch(markup(free, { ...about, refused: elsewhere }), /<details[^>]* open/)
  })

  test('is parted after a question', ({ assert }) => {
    const own = {
      ...{ id: 'acme-ios:4.2.0', version: '4.2.0' },
      app: { id: 'acme-ios', name: 'Acme', platform: 'ios' as const, appGroup: null },
    }
    const call = { reader, refused: null, params: { appId: 'acme-ios', releaseId: own.id } }
    const { question } = partView({ own, tag: '"t"', ...joined() }, call)
    assert.equal(question.heading, 'Separate Acme iOS 4.2.0 from Acme <b> Android 4.2.0?')
    assert.deepEqual(
      [question.action, question.cancel, question.tag],
      [`${BASE}/pair/part`, BASE, '"t"']
    )
    const none = partView({ own, tag: '"t"', pair: null, other: null }, call)
    assert.equal(none.question.heading, 'Separate Acme iOS 4.2.0?')
    assert.lengthOf(none.question.lines, 1)
  })
})

test.group('The other release of a pair after a stop', () => {
  const other = (...of: Parameters<typeof rollout>) =>
    joined({ other: { ...android, rollout: rollout(...of) } })

  test('is shown with its own red button while it goes on', ({ assert }) => {
    const stopped = { rollout: rollout('paused', true), reader }
    const reported = goesOnOf(other('active'), stopped)
    assert.equal(
      reported?.action,
      '/dashboard/app/acme-android/release/acme-android%3A4.2.0/redButton'
    )
    assert.isNull(goesOnOf(other('halted', true), stopped))
    assert.isNull(goesOnOf(other('replaced'), stopped))
    // It may still go out.
    assert.isNotNull(goesOnOf(other('notStarted'), stopped))
    assert.isNull(goesOnOf(joined({ other: null }), stopped))
    assert.isNull(goesOnOf(other('active'), { ...stopped, reader: guest }))
    // Neither a pause nor an active rollout is a stop.
    assert.isNull(goesOnOf(other('active'), { rollout: rollout('paused'), reader }))
    assert.isNull(goesOnOf(other('active'), { rollout: rollout('active'), reader }))
  })

  test('is named without codes of the API', ({ assert }) => {
    const lead = 'acme-android:4.2.0, which goes out with it, is not stopped.'
    for (const page of ['', ' (https://tarmac.acme.example/dashboard/app/acme)']) {
      const way = `Press its red button${page}, or the one for both (\`pair: true\`).`
      assert.equal(warningText(`${lead} ${way}`), lead)
    }
    assert.equal(
      warningText(`${lead} The key does not include its app.`),
      `${lead} Someone who sees its app can stop it.`
    )
  })
})
