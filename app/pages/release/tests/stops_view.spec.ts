import { test } from '@japa/runner'
import type { RolloutInStore } from '#rollouts/rollout_entity'
import { redButtonOf, resumeOf, stopSentence } from '../stops.view.js'
import { releaseView } from '../view.js'
import {
  answers,
  call,
  command,
  NOW,
  press,
  reader,
  rollout,
  stopped,
  store,
  type Members,
} from './example_release.js'

test.group('The sentence about a stopped or paused rollout', () => {
  test('tells a stop from a pause, and a request from a confirmation', ({ assert }) => {
    const said = (...stores: RolloutInStore[]) => {
      const all = rollout(...stores)
      const { head, rest } = stopSentence(all, reader) ?? { head: null, rest: null }
      const { state, label } = redButtonOf(all, press)
      return [head, rest, state, label]
    }
    const asked = (what: 'pause' | 'halt', how: 'redButton' | 'person') =>
      store('apple', 'active', { command: command(what), stopped: stopped(how) }, what)
    assert.deepEqual(said(store('google', 'active')), [null, null, 'ready', 'Stop the rollout'])
    const before = store('google', 'notStarted')
    assert.deepEqual(said(before), [null, null, 'ready', 'Stop the release'])
    // During a requested pause, the red button can still be pressed.
    assert.deepEqual(said(asked('pause', 'person')), [
      'The rollout is being paused.',
      'It reaches users until the store confirms.',
      'ready',
      'Stop the rollout',
    ])
    // On the App Store a stop is a pause.
    assert.deepEqual(said(asked('pause', 'redButton')), [
      'The rollout is being stopped.',
      'It reaches users until the store confirms.',
      'asking',
      'Stopping…',
    ])
    const paused = store('apple', 'paused', { stopped: stopped('person') }, 'pause')
    assert.deepEqual(said(paused), [
      'The rollout is paused at 20\u00a0%.',
      'Users who have this version keep it. Nobody else gets it.',
      'ready',
      'Stop the rollout',
    ])
    // On Google Play a pause is a halt.
    const ofPerson = { stopped: stopped('person') }
    assert.deepEqual(said(store('google', 'halted', ofPerson, 'halt')), said(paused))
    const toPause = store('google', 'active', { ...ofPerson, command: command('halt') }, 'halt')
    assert.equal(said(toPause)[0], 'The rollout is being paused.')
    const halted = store('google', 'halted', { stopped: stopped('redButton') }, 'halt')
    assert.deepEqual(said(halted).slice(0, 1), ['The rollout is stopped at 20\u00a0%.'])
    assert.deepEqual(said(halted).at(-1), 'Stopped 10:04:00, confirmed by Google Play')
  })

  test('shows each store with its own state', ({ assert }) => {
    const halted = store('google', 'halted', { stopped: stopped('redButton') }, 'halt')
    const asked = store(
      'apple',
      'active',
      { command: command('pause'), stopped: stopped('redButton') },
      'pause'
    )
    const one = stopSentence(rollout(halted, asked), reader)!
    assert.equal(one.rest, 'It reaches users in the App Store until that is confirmed.')
    assert.deepEqual(
      one.list.map(({ text, who }) => `${text}: ${who}`),
      [
        'Google Play is stopped at 20\u00a0%: confirmed 2 min ago',
        'App Store has yet to stop at 20\u00a0%: asked 2 s ago, not confirmed',
      ]
    )
    const rolling = rollout(halted, store('apple', 'active'))
    const other = stopSentence(rolling, reader)!
    assert.equal(other.head, 'It is stopped in Google Play.')
    assert.equal(other.rest, 'It still reaches users in the App Store.')
    assert.equal(redButtonOf(rolling, press).state, 'ready')
    assert.isNull(resumeOf(rolling))
    const resume = { action: 'resume' as const, percentage: 20 }
    const both = rollout({ ...halted, resume }, store('apple', 'paused', { resume }, 'pause'))
    assert.equal(resumeOf(both), 'Resume at 20\u00a0%')
    assert.equal(redButtonOf(rollout(asked), { ...press, stoppers: 'QA' }).who, 'QA may stop it.')
  })
})

test.group('A rollout that all users of one store can get', () => {
  const halted = store('apple', 'paused', { stopped: stopped('redButton') }, 'pause')
  const whole = (members: Members = {}, action: 'halt' | null = null) => {
    const each = store('google', 'completed', members, action)
    return { ...each, phased: { ...each.phased, percentage: 100 } }
  }

  test('is not said to be stopped there', ({ assert }) => {
    const all = rollout(whole(), halted)
    const { head, rest, list } = stopSentence(all, reader)!
    assert.equal(head, 'It is stopped in the App Store.')
    assert.equal(rest, 'All users have it in Google Play.')
    assert.equal(list[0].text, 'Google Play has rolled it out to all users')
    assert.equal(releaseView(answers({ rollout: all }), call).phase.word, 'Rolling out')
    assert.isNull(stopSentence(rollout(whole()), reader))
  })

  test('is stopped there once the store confirms', ({ assert }) => {
    const asked = rollout(
      whole({ command: command('halt'), stopped: stopped('redButton') }, 'halt'),
      halted
    )
    const { head, rest, list } = stopSentence(asked, reader)!
    assert.equal(head, 'The rollout is being stopped.')
    assert.equal(rest, 'It reaches users in Google Play until that is confirmed.')
    assert.equal(list[0].text, 'Google Play has yet to stop at 100\u00a0%')
    assert.deepEqual(
      [redButtonOf(asked, press).state, redButtonOf(asked, press).label],
      ['asking', 'Stopping…']
    )
    assert.equal(releaseView(answers({ rollout: asked }), call).pollSeconds, 2)
  })
})

test.group('The red button of a release that does not roll out', () => {
  const stateOf = (...stores: RolloutInStore[]) => redButtonOf(rollout(...stores), press).state

  test('stops a rollout that has not started', ({ assert }) => {
    for (const what of [null, 'submitted', 'released'] as const) {
      const members = { command: what && command(what) }
      assert.equal(stateOf(store('apple', 'notStarted', members)), 'ready')
      const whyNotStoppable = 'No rollout of 4.2.0 is under way.'
      assert.equal(stateOf(store('apple', 'notStarted', { ...members, whyNotStoppable })), 'none')
    }
    const ended = { command: command('pause'), stopped: stopped('redButton') }
    const before = redButtonOf(rollout(store('apple', 'notStarted', ended, 'pause')), press)
    assert.equal(before.state, 'asking')
    assert.match(before.note!, /^It has not been seen to reach users in the App Store:/)
    assert.isNull(stopSentence(rollout(store('apple', 'notStarted', ended, 'pause')), reader))
  })

  test('stops a version that all users have if the API says that it can be stopped', ({
    assert,
  }) => {
    assert.equal(stateOf(store('google', 'completed', { command: null })), 'ready')
    const whyNotStoppable = 'No version was with users before it. Ship a hotfix.'
    const first = store('google', 'completed', { command: null, whyNotStoppable })
    assert.equal(stateOf(first), 'none')
    assert.equal(stateOf(first, store('apple', 'active')), 'ready')
    const [card] = releaseView(answers({ rollout: rollout(first) }), call).stores
    assert.equal(card.whyNotStoppable, whyNotStoppable)
    const gone = {
      command: null,
      stopped: null,
      whyNotStoppable: 'A later version took its place.',
    }
    for (const status of ['replaced', 'completed', 'halted'] as const)
      assert.equal(stateOf(store('google', status, gone)), 'none')
  })

  test('stays until the release ends, as a press pauses automations and opens an issue', ({
    assert,
  }) => {
    const whyNotStoppable = 'No version was with users before it. Ship a hotfix.'
    const first = rollout(store('google', 'completed', { command: null, whyNotStoppable }))
    const halted = rollout(store('google', 'halted', { stopped: stopped('redButton') }, 'halt'))
    const red = (of: typeof first | null, status: 'active' | 'completed', isPaused = false) => {
      const release = { status, automationsPaused: isPaused }
      const { state, label, does } = redButtonOf(of, { ...press, release })
      return state === 'ready' ? `${label}: ${does}` : state
    }
    for (const given of [null, first, halted])
      assert.match(
        red(given, 'active'),
        /^Stop the release: No store has anything to stop.*triage issue\.$/
      )
    assert.equal(red(halted, 'active', true), 'stopped')
    assert.deepEqual(
      [null, first, halted].map((given) => red(given, 'completed')),
      ['none', 'none', 'stopped']
    )
    const view = releaseView(answers({ rollout: first }), call)
    assert.equal(view.red.state, 'ready')
    assert.equal(view.stores[0].whyNotStoppable, whyNotStoppable)
  })
})

test.group('A rollout that is being resumed', () => {
  test('counts as rolling out: it can be stopped, and the page polls often', ({ assert }) => {
    for (const what of ['resume', 'complete', 'set'] as const) {
      const resume = { action: 'resume' as const, percentage: 20 }
      const going = rollout(
        store('google', 'halted', { command: command(what), stopped: null, resume })
      )
      const { head, rest, tone } = stopSentence(going, reader)!
      assert.deepEqual(
        [tone, head, rest],
        [
          'warn',
          'The rollout is being resumed.',
          'More users may get it before the store confirms.',
        ]
      )
      assert.equal(redButtonOf(going, press).state, 'ready')
      assert.isNull(resumeOf(going))
      const view = releaseView(answers({ rollout: going }), call)
      assert.deepEqual([view.pollSeconds, view.steer?.does], [2, 'pause'])
      assert.equal(view.phase.word, 'Rolling out')
      assert.isTrue(view.stores[0].isRolling)
    }
  })

  test('is distinguished from one that is still paused in another store', ({ assert }) => {
    const going = store('google', 'halted', { command: command('resume'), stopped: null })
    const still = store('apple', 'paused', { stopped: stopped('person') }, 'pause')
    const { head, list } = stopSentence(rollout(going, still), reader)!
    assert.equal(head, 'It is being resumed in Google Play.')
    assert.deepEqual(
      list.map(({ text, who }) => `${text}: ${who}`),
      [
        'Google Play has yet to resume from 20\u00a0%: asked 2 s ago, not confirmed',
        'App Store is paused at 20\u00a0%: confirmed 2 min ago',
      ]
    )
  })
})

test.group('The times of a requested stop', () => {
  test('are never shown on the wrong side of now', ({ assert }) => {
    const asked = (members: object) =>
      redButtonOf(
        rollout(
          store(
            'google',
            'active',
            { command: { ...command('halt')!, ...members }, stopped: stopped('redButton') },
            'halt'
          )
        ),
        press
      ).note
    assert.match(asked({ askedAt: NOW })!, /^Google Play was asked just now\./)
    assert.match(asked({ askedAt: '2026-11-24T10:07:01.000Z' })!, /was asked just now\./)
    const again = (retryAt: string) => asked({ retryAt })!
    assert.match(again('2026-11-24T10:06:57.000Z'), /It is asked again now\./)
    assert.match(again('2026-11-24T10:07:05.000Z'), /It is asked again in 5 s\./)
    assert.match(again('2026-11-26T10:07:05.000Z'), /It is asked again soon\./)
  })
})

test.group('A release whose rollout is stopped or paused', () => {
  test('shows a stop whatever the status of the release', ({ assert }) => {
    const halted = store('google', 'halted', { stopped: stopped('redButton') }, 'halt')
    for (const status of ['active', 'completed', 'skipped']) {
      const given = answers({ rollout: rollout(halted) })
      const held = { ...given.held, status, completedAt: NOW, releasedAt: NOW }
      const { sentence } = releaseView({ ...given, held }, call)
      assert.equal(sentence.head, 'The rollout is stopped at 20\u00a0%.', status)
      if (status === 'completed') assert.equal(sentence.detail, '')
    }
  })

  test('shows that to everybody, also to readers who may not press the red button', ({
    assert,
  }) => {
    const guest = { ...reader, may: () => false }
    const head = (...stores: RolloutInStore[]) => {
      const { title, phase } = releaseView(answers({ rollout: rollout(...stores) }), {
        ...call,
        reader: guest,
      })
      return [title.split(' · ')[0], phase.word]
    }
    const halted = store('google', 'halted', { stopped: stopped('redButton') }, 'halt')
    const paused = store('apple', 'paused', { stopped: stopped('person') }, 'pause')
    assert.deepEqual(head(halted), ['Stopped', 'Stopped'])
    assert.deepEqual(head(paused), ['Paused', 'Paused'])
    assert.deepEqual(head(halted, store('apple', 'active'))[1], 'Rolling out')
  })
})
