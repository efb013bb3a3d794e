import { test } from '@japa/runner'
import { renderTemplate } from '../engine.js'
import { plainFrame } from '../plain_page.js'

/** A frame with everything around a page. */
const frame = plainFrame({
  ...{ title: 'Keys', theme: null },
  navigation: {
    ...{ organization: 'Acme', home: '/', person: 'Ada', initials: 'A' },
    ...{ others: [], groups: [], turn: null },
  },
})

const row = (name: string) => ({
  ...{ id: name, name, prefix: 'tarmac_1', may: 'Reads only', apps: 'all apps' },
  ...{ used: 'never used', ends: 'never ends', made: 'made today' },
  ...{ unused: null, warning: null, rotateHref: null, revokeHref: null },
})

const render = (...names: string[]) =>
  renderTemplate('keys/list', {
    frame,
    view: { brief: '', newHref: '/', ended: null, sections: [], rows: names.map(row) },
  })

test.group('Templates', () => {
  test('are compiled once, even those that others include', ({ assert, cleanup }) => {
    assert.include(render('first'), 'first')
    const { Function: made } = globalThis
    cleanup(() => void (globalThis.Function = made))
    globalThis.Function = class {
      constructor() {
        throw new Error('A template is compiled again')
      }
    } as unknown as FunctionConstructor
    const shown = render('second', 'third')
    assert.notInclude(shown, 'first')
    for (const name of ['second', 'third']) assert.include(shown, name)
  })
})
