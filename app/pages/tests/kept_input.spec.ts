import type { Assert } from '@japa/assert'
import { test } from '@japa/runner'
import { Fixtures } from '#tests/support/fixtures'
import { addresses } from '../addresses.js'
import { pages } from '../routes.js'
import { attributes, pageWorld, pathFor, plain, textOf, type Person } from './support.js'

/*
 * A refused form is shown again with what was typed into it, except secrets. New forms are included
 * by themselves.
 */

interface Field {
  name: string
  value: string
  as: 'text' | 'secret' | 'hidden' | 'choice'
}

/** Fields of one line or several whose values are secrets, beside passwords and files. */
const SECRETS = ['headers']

/** Returns the forms of a page that are sent with POST, each with its addresses and fields. */
function formsIn(html: string) {
  return [...html.matchAll(/<form\b([^>]*method="post"[^>]*)>([\s\S]*?)<\/form>/g)].map(
    ([, own, inside]) => ({
      actions: [...attributes(own, 'action'), ...attributes(inside, 'formaction')],
      fields: [...inside.matchAll(FIELD)].flatMap(([, tag, rest, text]): Field[] => {
        const [name] = attributes(rest, 'name')
        if (!name || name === '_csrf') return []
        const value = text === undefined ? (attributes(rest, 'value')[0] ?? '') : plain(text)
        return [{ name, value, as: kindOf(name, tag, attributes(rest, 'type')[0]) }]
      }),
    })
  )
}

const FIELD = /<(input|select|textarea)\b([^>]*)>(?:\n?([^<]*)<\/textarea>)?/g

function kindOf(name: string, tag: string, type = 'text'): Field['as'] {
  if (SECRETS.includes(name) || type === 'password' || type === 'file') return 'secret'
  if (type === 'hidden') return 'hidden'
  return tag === 'select' || type === 'checkbox' || type === 'radio' ? 'choice' : 'text'
}

const isTyped = ({ as }: Field) => as === 'text' || as === 'secret'

/** A secret that stands in each of them, after the name of a header. */
const SECRET = 'of-nobody-else'

/** Sends a form, and checks the page that shows it again. @returns the status of the answer */
async function check(
  assert: Assert,
  person: Person,
  { action, fields, typed }: { action: string; fields: Field[]; typed: Record<string, string> }
) {
  const others = fields.filter((field) => !isTyped(field)).map(({ name, value }) => [name, value])
  const { status, text } = await person.post(action, { ...Object.fromEntries(others), ...typed })
  if (status < 400) return status
  assert.notInclude(text, SECRET, action)
  const shown = formsIn(text).find(({ actions }) => actions.includes(action))
  for (const { name } of fields.filter(({ as }) => as === 'text')) {
    const values = shown?.fields.filter((field) => field.name === name).map(({ value }) => value)
    assert.include(values, typed[name], `${action} ${name}`)
  }
  return status
}

test.group('A refused form', (group) => {
  group.each.timeout(120_000)

  test('422 and 412 keep what was typed, and never show a secret again', async ({ assert }) => {
    const statuses = new Map<number, number>()
    for (const [address] of pages) {
      if (address === addresses.authorized) continue
      const { world, person } = await pageWorld()
      const page = await pathFor(new Fixtures(world), address)
      // One plugin is connected in several ways, each with a form of its own.
      for (const way of address === addresses.connect ? ['browser', 'none'] : ['']) {
        const { text } = await person.get(`${page}?with=${way}`)
        const forms = formsIn(text).filter(({ fields }) => fields.some(isTyped))
        for (const { actions, fields } of forms) {
          const values = fields
            .filter(isTyped)
            .map(({ name, as }, index) => [
              name,
              as === 'secret' ? `x-team: ${SECRET}` : `typed "${index}" <`,
            ])
          const asShown = fields.filter(isTyped).map(({ name, value }) => [name, value])
          const changed = fields.find(({ as }) => as === 'text')?.name ?? ''
          for (const action of actions) {
            for (const typed of [
              Object.fromEntries(values),
              { ...Object.fromEntries(asShown), [changed]: 'Changed', _tag: '"of another state"' },
            ]) {
              const status = await check(assert, person, { action, fields, typed })
              statuses.set(status, (statuses.get(status) ?? 0) + 1)
            }
          }
        }
      }
    }
    assert.isAbove(statuses.get(422) ?? 0, 30)
    assert.isAbove(statuses.get(412) ?? 0, 5)
  })

  test('keeps the names of typed headers, to be sent with their values alone', async ({
    assert,
  }) => {
    const { world, person } = await pageWorld()
    const path = `/dashboard/org/${world.organizationId}/webhookEndpoint`
    const headers = `X-Team: ${SECRET}\r\n${SECRET}\r\nauthorization : Bearer ${SECRET}`
    const url = 'https://acme.example/hook'
    const refused = await person.send(`${path}/new`, path, { url, headers })
    assert.equal(refused.status, 422)
    assert.notInclude(refused.text, SECRET)
    const [{ fields }] = formsIn(refused.text).filter(({ actions }) => actions.includes(path))
    const kept = fields.find(({ name }) => name === 'headers')!.value
    assert.equal(kept, 'X-Team: \nauthorization: ')
    const again = await person.post(path, { url, events: '*', appIds: '*', headers: kept })
    assert.match(textOf(again.text), /The value of X-Team must be/)
  })
})
