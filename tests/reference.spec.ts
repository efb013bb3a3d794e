import { readFile } from 'node:fs/promises'
import { test } from '@japa/runner'
import fc from 'fast-check'
import { checkNewApp } from '#configuration/checks/check_configuration'
import { Inspector, type Element } from '#configuration/checks/inspector'
import { validFiles, write } from '#configuration/tests/generators'
import { CONTEXT } from '#configuration/tests/generators/known'
import { tree } from '#configuration/tests/helpers'
import { NOTIFICATION_TYPES } from '#notifications/vocabulary'
import { FOLLOW_UPS, SCHEDULED_AUTOMATIONS } from '#planning/vocabulary'
import { drawn } from './support/diagrams.js'
import { FIELDS } from './support/reference/configuration_fields.js'
import { referencePages } from './support/reference/tables.js'
import { TEXTS, textsPage } from './support/reference/texts.js'

/*
 * The pages of docs/reference say what the code does.
 */

test('the tables of docs/reference are what `npm run docs:reference` writes', async ({
  assert,
}) => {
  for (const [page, { at, text }] of await referencePages()) {
    assert.equal(await readFile(at, 'utf8'), text, page)
  }
})

test('the page of all texts is read from the sources', async ({ assert }) => {
  assert.equal(await readFile(TEXTS, 'utf8'), textsPage())
})

test('the diagrams are drawn as their texts say', async ({ assert }) => {
  const all = await drawn()
  assert.isAbove(all.size, 1)
  for (const [path, svg] of all) assert.equal(await readFile(path, 'utf8'), svg, path)
})

const TYPES = new Set<string>([...NOTIFICATION_TYPES, ...FOLLOW_UPS, ...SCHEDULED_AUTOMATIONS])

/**
 * Returns the keys that the checks of a configuration file know: those that they look up in many
 * generated files.
 */
function knownKeys(): Set<string> {
  const known = new Set<string>()
  const named = new Set<string>()
  const placeOf = ({ path }: Element) =>
    path.reduce<string>((place, step) => {
      if (typeof step === 'number') return `${place}[]`
      const isChosenName = named.has(place)
      const word = isChosenName ? '<name>' : TYPES.has(step) ? '<type>' : step
      return place === '' ? word : `${place}.${word}`
    }, '')
  const { fields, entries } = Inspector.prototype
  Inspector.prototype.fields = function (element, names) {
    const place = placeOf(element)
    const isData = place.endsWith('.data') || place.endsWith('.selectedEventsAndParams[]')
    for (const name of isData ? [] : names) {
      const word = TYPES.has(name) ? '<type>' : name
      known.add(place === '' ? word : `${place}.${word}`)
    }
    return fields.call(this, element, names) as never
  }
  Inspector.prototype.entries = function (element, what, max) {
    named.add(placeOf(element))
    return entries.call(this, element, what, max)
  }
  try {
    const files = fc.sample(validFiles({ integrations: true }), { numRuns: 150, seed: 1 })
    for (const file of files) checkNewApp(tree(write(file)), CONTEXT)
  } finally {
    Object.assign(Inspector.prototype, { fields, entries })
  }
  return known
}

test('the page of the configuration file has every key, and no other', ({ assert }) => {
  const DESTINATION = 'x-destinations.<name>.appStoreReleaseSettings.'
  const known = [...knownKeys()].filter((key) => !key.startsWith(DESTINATION))
  assert.sameMembers(
    FIELDS.map(([path]) => path),
    known
  )
})
