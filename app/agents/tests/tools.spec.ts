import { test } from '@japa/runner'
import { isWrite } from '#foundation/api/operation/declaration'
import { operations } from '#foundation/api/operation/registry'
import { executor } from '#foundation/api/services'
import { unrestricted } from '#foundation/core/principal'
import { listedTools } from '../make_server.js'
import { LEFT_OUT, tools } from '../tools/catalog.js'
import { toolInput } from '../tools/schema.js'
import { annotationsOf, operationOf } from '../tools/tool.js'
import { differences, openObjectsIn, singleWordsIn } from './schema_differences.js'

/** Returns every description within a schema. */
function descriptionsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(descriptionsIn)
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, member]) =>
    name === 'description' && typeof member === 'string' ? member : descriptionsIn(member)
  )
}

const isBalanced = (text: string, [open, close]: string) =>
  open === close
    ? text.split(open).length % 2 === 1
    : text.split(open).length === text.split(close).length

const anyDate = (properties: any) => properties.body.anyOf[0].properties.targetKickoffAt

/** A caller that may use every tool. */
const ADMIN = {
  executor,
  principal: {
    organization: { id: 'org_acme', name: 'Acme', requireIfMatch: false },
    actor: { type: 'system', id: null, name: 'test' },
    permissions: unrestricted,
  },
} as const

test.group('The tools of agents', () => {
  test('reach every operation, or say why they do not', ({ assert }) => {
    const reached = new Set(
      tools.flatMap(({ actions }) => Object.values(actions).map(({ operation }) => operation))
    )
    for (const { id } of operations.ofApi()) {
      assert.isTrue(reached.has(id) !== id in LEFT_OUT, `${id} is in one tool, or left out`)
    }
    for (const id of [...reached, ...Object.keys(LEFT_OUT)])
      assert.doesNotThrow(() => operations.get(id))
  })

  test('are few, and say when not to use them', ({ assert }) => {
    const listed = listedTools(ADMIN, tools)
    assert.lengthOf(listed, tools.length)
    assert.isAtMost(listed.length, 22)
    for (const { name, description } of listed) {
      assert.match(name, /^[a-z_]{3,64}$/)
      assert.match(
        description!,
        /\b(not|never|nothing|instead)\b/i,
        `${name} says when not to use it`
      )
    }
  })

  test('are described in sentences that end', ({ assert }) => {
    const listed = listedTools(ADMIN, tools)
    for (const text of descriptionsIn(listed).flatMap((each) => each.split('\n'))) {
      assert.match(text, /\.$/, text)
      assert.notMatch(text, /…|\.\.\./, text)
      for (const pair of ['()', '[]', '``'])
        assert.isTrue(isBalanced(text, pair), `${text} is cut within ${pair}`)
    }
  })

  test('say of each action when it takes two steps', ({ assert }) => {
    for (const { name, actions } of tools) {
      const { action } = toolInput(actions).properties as { action?: { description: string } }
      for (const line of action?.description.split('\n') ?? []) {
        const [, id] = /^(\w+): /.exec(line)!
        const { steps } = operationOf(actions[id])
        const [reported] = /Two steps.*$/.exec(line) ?? ['']
        assert.equal(reported, steps?.brief ?? '', `${name} ${id}`)
        if (steps?.take === 'either') assert.match(reported, /^Two steps(?:, but for| \w+) .+\.$/)
      }
    }
  })

  test('take what their operations take, and nothing else', ({ assert }) => {
    const listed = new Map(
      listedTools(ADMIN, tools).map((each) => [each.name, each.inputSchema as any])
    )
    for (const tool of tools)
      assert.deepEqual(differences(tool, listed.get(tool.name)), [], tool.name)
  })

  test('say that their bodies take no other members', ({ assert }) => {
    for (const { name, inputSchema } of listedTools(ADMIN, tools))
      assert.deepEqual(openObjectsIn(inputSchema), [], name)
  })

  test('ask for nothing that has one legal value', ({ assert }) => {
    const found = tools.flatMap(({ actions }) => singleWordsIn(toolInput(actions)))
    // A build is expired by setting its status.
    assert.deepEqual(found, ['status'])
  })

  test('are known to differ from their operations where they do', ({ assert }) => {
    const tool = tools.find(({ name }) => name === 'manage_release')!
    const listed = listedTools(ADMIN, tools).find(({ name }) => name === tool.name)!.inputSchema
    const changes: [string, (schema: any) => void][] = [
      ['a member less', ({ properties }) => delete properties.releaseId],
      ['one more', ({ properties }) => (properties.colour = { type: 'string' })],
      ['another type', ({ properties }) => (properties.appId.type = 'integer')],
      ['an action less', ({ properties }) => properties.action.enum.pop()],
      ['more than is declared', (schema) => (schema.additionalProperties = true)],
      ['a body less', ({ properties }) => properties.body.anyOf.pop()],
      [
        'a member of a body less',
        ({ properties }) => delete properties.body.anyOf[0].properties.version,
      ],
      ['a member of another format', ({ properties }) => (anyDate(properties).format = 'date')],
      ['a body that needs less', ({ properties }) => (properties.body.anyOf[0].required = [])],
      ['a body of others', ({ properties }) => properties.body.anyOf.push({ type: 'object' })],
    ]
    assert.deepEqual(differences(tool, listed), [])
    for (const [what, change] of changes) {
      const changed = structuredClone(listed)
      change(changed)
      assert.isNotEmpty(differences(tool, changed), what)
    }
  })

  test('say truly what they can do', ({ assert }) => {
    for (const tool of tools) {
      const writes = Object.values(tool.actions).map(operationOf).filter(isWrite)
      const annotations = annotationsOf(tool.actions)
      assert.equal(annotations.readOnlyHint, writes.length === 0, tool.name)
      for (const { method } of writes) {
        if (method !== 'POST') assert.isTrue(annotations.destructiveHint, tool.name)
        if (method === 'POST' || method === 'PATCH')
          assert.isFalse(annotations.idempotentHint, tool.name)
      }
      const opensWorld = Object.values(tool.actions)
        .map(operationOf)
        .some(({ callsOthers, apart }) => callsOthers || apart)
      assert.equal(annotations.openWorldHint, opensWorld, tool.name)
    }
  })

  test('show a plan before anything is removed', ({ assert }) => {
    for (const tool of tools) {
      for (const [name, action] of Object.entries(tool.actions)) {
        const { method, steps } = operationOf(action)
        if (method === 'DELETE') assert.equal(steps!.take, 'two', `${tool.name} ${name}`)
      }
    }
  })
})
