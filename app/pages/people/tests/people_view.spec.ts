import { test } from '@japa/runner'
import { exampleGroup, exampleUser } from '#organizations/examples'
import { ACTION_EXPLANATIONS, userActions } from '#organizations/vocabulary'
import type { Reader } from '../../frame/page.js'
import { exampleReader } from '../../tests/example_reader.js'
import { groupsView, groupView } from '../groups.view.js'
import { deactivateView, peopleView, personView } from '../people.view.js'

const params = { orgId: 'org_acme', userId: exampleUser.id, groupId: exampleGroup.id }

/** Returns a reader who may ask for some operations, or for all if none are given. */
const readerOf = (...may: string[]): Reader => ({
  ...exampleReader,
  may: (id) => may.length === 0 || may.includes(id),
})
const callOf = (reader: Reader) => ({ reader, refused: null, params, query: {} })
const admin = callOf(readerOf())
const manager = callOf(readerOf('listUsers', 'getUser', 'updateUser', 'updateGroup'))

const QA = { ...exampleGroup, id: 'grp_qa', name: 'QA', isDefault: true }

test.group('The view of people', () => {
  test('shows the address of a person without a name, once', ({ assert }) => {
    const data = [exampleUser, { ...exampleUser, name: null, status: 'invited' as const }]
    const view = peopleView({ data, pagination: { nextCursor: null } }, admin)
    assert.deepEqual(
      view.rows.map(({ name, email, status }) => [name, email, status]),
      [
        ['Ada Lovelace', 'ada@acme.example', null],
        ['ada@acme.example', null, 'Invited, not signed in yet'],
      ]
    )
  })

  test('keeps its filter from page to page', ({ assert }) => {
    const answers = { data: [], pagination: { nextCursor: 'next' } }
    const view = peopleView(answers, { ...admin, query: { status: 'deactivated' } })
    assert.match(view.more!, /\?status=deactivated&cursor=next$/)
    assert.deepEqual(
      view.tabs.filter(({ isChosen }) => isChosen).map(({ name }) => name),
      ['Deactivated']
    )
    const odd = peopleView(answers, { ...admin, query: { status: 'nowhere' } })
    assert.isTrue(odd.tabs[0].isChosen)
  })

  test('of one person offers some changes only to admins', ({ assert }) => {
    const user = { ...exampleUser, groups: [{ id: QA.id, name: QA.name }] }
    const answers = { user, tag: '"x"', groups: [QA, exampleGroup], signIns: null }
    const own = personView(answers, manager)
    assert.deepEqual(
      own.form!.groups.options.map(({ isFixed, isOn }) => [isFixed, isOn]),
      [
        [true, true],
        [false, false],
      ]
    )
    assert.isNull(own.form!.admin)
    assert.deepEqual([own.link, own.signIns, own.deactivateHref], [null, null, null])
    const nowhere = { belongsElsewhere: false, signIns: [] }
    const all = personView({ ...answers, signIns: nowhere }, admin)
    assert.isFalse(all.form!.groups.options[0].isFixed)
    assert.isTrue(all.form!.admin!.options[0].isOn)
    assert.equal(all.signIns!.text, 'Not signed in anywhere.')
    const shared = { belongsElsewhere: true, signIns: [] }
    const both = personView({ ...answers, signIns: shared }, admin)
    assert.match(both.signIns!.text, /^They belong to another organization, too/)
    assert.isNull(both.signIns!.endAction)
  })

  test('of a deactivated person offers to activate them, and nothing else', ({ assert }) => {
    const user = { ...exampleUser, status: 'deactivated' as const, groups: [] }
    const view = personView({ user, tag: '"x"', groups: [QA], signIns: null }, admin)
    assert.deepEqual([view.form, view.link, view.deactivateHref], [null, null, null])
    assert.match(view.activateAction!, /\/activate$/)
    assert.include(deactivateView(exampleUser, admin).question.lines[0], 'Security')
  })
})

test.group('The view of groups', () => {
  test('explains every user action in a sentence', ({ assert }) => {
    const { matrix } = groupsView([QA], admin)
    assert.lengthOf(matrix, userActions.length)
    for (const { action, explanation } of matrix) assert.match(explanation, /^[A-Z].+\.$/, action)
    assert.lengthOf(new Set(Object.values(ACTION_EXPLANATIONS)), userActions.length)
    const held = matrix.filter(({ cells }) => cells[0].isHeld).map(({ action }) => action)
    assert.sameMembers(held, QA.userActions)
  })

  test('has a form only for custom groups, and for those who may change them', ({ assert }) => {
    const custom = { group: exampleGroup, tag: '"x"' }
    assert.isNotNull(groupView(custom, manager).form)
    assert.isNull(groupView({ group: QA, tag: '"x"' }, admin).form)
    const reader = callOf(readerOf('listGroups'))
    assert.deepEqual(
      [groupView(custom, reader).form, groupView(custom, reader).note],
      [null, 'People who manage groups may change it.']
    )
  })
})
