import { test } from '@japa/runner'
import fc from 'fast-check'
import { changes } from '#foundation/core/services'
import { isLong } from '#tests/support/effort'
import { Fixtures } from '#tests/support/fixtures'
import type { World } from '#tests/support/world'
import { shownAt } from '../frame/page.js'
import { addresses } from '../addresses.js'
import { forms, pages } from '../routes.js'
import { forgetGuesses, linkTo } from '../session/tests/browser.js'
import { attributes, pageWorld, pathFor, plain, signedIn, textOf, WORDS } from './support.js'

/*
 * Input that no page sends: every form answers it with a page, and a refused form changes nothing.
 * New forms are included by themselves. FUZZ_SEED=<number> sends other input, FUZZ_RUNS=<number>
 * sends more to each form.
 */

const SEED = Number(process.env.FUZZ_SEED ?? 20261129)
const RUNS = Number(process.env.FUZZ_RUNS ?? (isLong ? 60 : 3))

/** Ways to write a field, in `application/x-www-form-urlencoded`. */
const MADE_UP: Readonly<Record<string, (field: string) => string>> = {
  'nothing': () => '',
  'an empty text': (field) => `${field}=`,
  'a text': (field) => `${field}=a`,
  'two texts': (field) => `${field}=a&${field}=b`,
  'more texts than a list takes': (field) => Array(30).fill(`${field}=a`).join('&'),
  'a list': (field) => `${field}[]=a`,
  'a list in a list': (field) => `${field}[][]=a`,
  'a sparse list': (field) => `${field}[19]=a&${field}[3]=b`,
  'an object': (field) => `${field}[a]=b`,
  'an object in objects': (field) => `${field}[a][b][c][d][e][f][g][h]=i`,
  'objects in a list': (field) => `${field}[0][a]=b&${field}[1][length]=2`,
  'a text and an object': (field) => `${field}=a&${field}[trim]=b`,
  'members that every object has': (field) => `${field}[toString]=a&${field}[length]=9`,
  'a prototype': (field) => `${field}[__proto__][trim]=a&${field}[constructor][name]=b`,
  'a NUL': (field) => `${field}=a%00b`,
  'half a surrogate pair': (field) => `${field}=%ED%A0%80`,
  'no UTF-8': (field) => `${field}=%ff%c0%af`,
  'no encoding': (field) => `${field}=%`,
  'control characters': (field) => `${field}=%01%0d%0a%1b%7f%e2%80%ae`,
  'a long text': (field) => `${field}=${'x'.repeat(70_000)}`,
  'a text that fills the form': (field) => `${field}=${'x'.repeat(1024 * 1024 - 2000)}`,
  'a number without end': (field) => `${field}=1e999`,
  'a negative number': (field) => `${field}=-9007199254740993`,
  'a far instant': (field) => `${field}=275760-09-13T00:00`,
  'no instant': (field) => `${field}=0000-00-00T99:99`,
  'a member of every object': (field) => `${field}=__proto__`,
  'YAML with an anchor': (field) => `${field}=%26a+[*a,+*b]`,
}

const WAYS = Object.keys(MADE_UP)

/** The way to write a field as its page has it. */
const AS_SHOWN = ''

/** Path parameters that name nothing. */
const JUNK_IDS = ['%00', '%ED%A0%80', '__proto__', 'constructor', '%2e%2e%2fa', 'x'.repeat(3000)]

/** Words of code that no text for people has. */
const CODE = /\[object |\bNaN\b|Invalid Date|is not a function|Cannot read/

type Field = readonly [name: string, value: string]

/**
 * Returns the fields of the forms of a page as a browser without script would send them, and those
 * that the frame reads of any form; without the token.
 */
function fieldsIn(html: string): Field[] {
  const fields = new Map(['_tag', '_key', '_by'].map((name) => [name, '']))
  const tags = /<(?:input|select|button|textarea)\b([^>]*)>(?:\n?([^<]*)<\/textarea>)?/g
  for (const [, rest, text] of html.matchAll(tags)) {
    const [name] = attributes(rest, 'name')
    const isOff = /type="(checkbox|radio)"/.test(rest) && !/\schecked/.test(rest)
    if (!name || name === '_csrf' || (isOff && fields.has(name))) continue
    const value = text === undefined ? (attributes(rest, 'value')[0] ?? '') : plain(text)
    fields.set(name, isOff ? '' : value)
  }
  return [...fields]
}

/** Returns the names that links and forms of a page give to its own or another address. */
function queriedIn(html: string): string[] {
  const links = attributes(html, 'href').flatMap((each) => [
    ...new URLSearchParams(each.split('?')[1] ?? '').keys(),
  ])
  const filters = [...html.matchAll(/<form\b[^>]*method="get"[\s\S]*?<\/form>/g)]
  return [...links, ...filters.flatMap(([form]) => attributes(form, 'name'))]
}

const written = (fields: readonly Field[], ways: readonly string[]): string =>
  fields
    .map(([name, value], index) => {
      const field = encodeURIComponent(name)
      return MADE_UP[ways[index]]?.(field) ?? `${field}=${encodeURIComponent(value)}`
    })
    .filter(Boolean)
    .join('&')

/** Returns what a form is tried with: all in the long run, another sixth for each form otherwise. */
const tried = <Case>(all: readonly Case[], turn: number): Case[] =>
  all.filter((_, index) => isLong || (index + turn) % 6 === 0)

/** Sends the bodies of a form: with all fields written in one way, and in ways at random. */
async function eachBody(
  fields: readonly Field[],
  turn: number,
  send: (body: string) => Promise<void>
) {
  const alike = tried(WAYS, turn)
  for (const way of alike) await send(written(fields, Array<string>(fields.length).fill(way)))
  const mostlyAsShown = fc.oneof(
    { arbitrary: fc.constant(AS_SHOWN), weight: 3 },
    fc.constantFrom(...WAYS)
  )
  const { length } = fields
  const ways = fc.array(mostlyAsShown, { minLength: length, maxLength: length })
  const property = fc.asyncProperty(ways, (chosen) => send(written(fields, chosen)))
  await fc.assert(property, { seed: SEED + turn, numRuns: RUNS })
}

test.group('Made-up input', (group) => {
  group.each.timeout(isLong ? 1_800_000 : 120_000)

  test('of a form is answered with a page, and changes nothing if it is refused', async ({
    assert,
  }) => {
    const succeeded = new Set<string>()
    for (const [turn, [address, load]] of forms.entries()) {
      const form = await load()
      const { world, person } = await pageWorld()
      let fixtures = new Fixtures(world)
      const send = async (path: string, body: string) => {
        const what = `${path} ${body.slice(0, 300)}`
        const before = await changes.of(world.organizationId)
        const { status, text } = await person.post(path, {}, { written: body })
        assert.isBelow(status, 500, what)
        assert.notEqual(status, 429, what)
        assert.notMatch(textOf(text), CODE, what)
        if (status >= 400) assert.equal(await changes.of(world.organizationId), before, what)
        return status
      }
      const shown = async () =>
        person.get(shownAt(form, await fixtures.params(address, WORDS)).address)
      const fields = fieldsIn((await shown()).text)
      const names = [...address.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
      for (const [index, junk] of tried(JUNK_IDS, turn).entries()) {
        const path = await pathFor(fixtures, address, { [names[index % names.length]]: 'junk' })
        assert.isAtLeast(await send(path.replace(/\bjunk\b/, junk), written(fields, [])), 400)
      }
      await eachBody(fields, turn, async (body) => {
        if ((await send(await pathFor(fixtures, address), body)) >= 400) return
        succeeded.add(address)
        if ((await shown()).status === 404) fixtures = new Fixtures(world)
      })
    }
    // Otherwise the input is refused for another reason than that it is made up.
    assert.isAbove(succeeded.size, forms.length / 3)
  })

  test('in the address of a page is answered with a page', async ({ assert }) => {
    const { world, person } = await pageWorld()
    const fixtures = new Fixtures(world)
    const names = new Set<string>()
    const paths: string[] = []
    for (const [address] of pages) {
      if (address === addresses.authorized) continue
      const path = await pathFor(fixtures, address)
      paths.push(path)
      for (const name of queriedIn((await person.get(path)).text)) names.add(name)
    }
    assert.includeMembers([...names], ['change', 'with', 'search'])
    for (const [turn, path] of paths.entries()) {
      for (const way of tried(WAYS, turn).filter((each) => !each.startsWith('a text that'))) {
        // Node itself refuses an address of more than 16 KiB.
        const query = [...names].map(MADE_UP[way]).join('&').slice(0, 8000)
        const { status, text } = await person.get(`${path}?${query}`)
        assert.isBelow(status, 500, `${path} ${query}`)
        assert.notMatch(textOf(text), CODE, path)
      }
    }
  })

  test('of the forms about a person is answered with a page', async ({ assert }) => {
    const { world } = await pageWorld()
    for (const [turn, [form, page]] of OWN_FORMS.entries()) {
      const { userId, ...person } = await signedIn(world)
      const path = await form(world, userId)
      const fields = fieldsIn((await person.get(page ?? path)).text)
      await eachBody(fields, turn, async (body) => {
        await forgetGuesses()
        const { status, text } = await person.post(path, {}, { written: body })
        assert.isBelow(status, 500, `${path} ${body.slice(0, 300)}`)
        assert.notMatch(textOf(text), CODE, path)
      })
    }
  })
})

type PathOf = (world: World, userId: string) => string | Promise<string>

/** Forms outside of organizations, each with the page that shows it; absent: at the same address. */
const OWN_FORMS: readonly (readonly [form: PathOf, page?: string])[] = [
  [() => '/sign-in'],
  [(world, userId) => linkTo(world, { userId })],
  [() => '/dashboard/device'],
  ...['name', 'preferences', 'password', 'end', 'end-key'].map(
    (each) => [() => `/dashboard/me/${each}`, '/dashboard/me'] as const
  ),
  [() => '/sign-out', '/dashboard/me'],
]
