import { Inspector, type Fields, type Element } from '#configuration/checks/inspector'
import type { Checked } from '#configuration/checks/check_configuration'
import { requireValid, readConfigurationFile } from '#configuration/read_configuration_file'
import type { YamlNode } from '#configuration/yaml/tree'
import type { RawBody } from '#foundation/api/operation/declaration'
import { fromBox, namesInBox } from './box.js'
import { readMoments } from './read_moments.js'
import { readDuration, readShare } from './read_values.js'
import type { Scenario } from './scenario.js'

/*
 * A scenario file is read like a configuration file: all errors are listed, with line and column.
 */

/**
 * Reads a sent scenario file, or the bare name of a built-in scenario.
 * @throws what `readScenario` throws
 */
export async function readSentScenario({ bytes }: Pick<RawBody, 'bytes'>): Promise<Scenario> {
  const name = bytes.length <= MAX_NAME_LENGTH ? String(bytes).trim() : ''
  const builtIn = await fromBox(name)
  if (builtIn) return readScenario(builtIn)
  if (!BARE_NAME.test(name)) return readScenario(bytes)
  const message = `"${name}" is not a built-in scenario: ${(await namesInBox()).join(', ')}`
  const problem = {
    path: '',
    pointer: '',
    line: 1,
    column: 1,
    code: 'unknown_value' as const,
    message,
  }
  return requireValid<Scenario>({ ok: false, problems: [problem] }, LABEL).value
}

const LABEL = 'The scenario'

/** Matches a bare name. The text of a file has at least one key, so it never matches. */
const BARE_NAME = /^[\w.-]+$/

/** Maximum length of the name of a built-in scenario, in bytes. */
const MAX_NAME_LENGTH = 100

/** @throws too_large, malformed_yaml, invalid_configuration */
export async function readScenario(bytes: Uint8Array): Promise<Scenario> {
  const root = await readConfigurationFile({ bytes: Buffer.from(bytes) })
  return requireValid(checkScenario(root), LABEL).value
}

/** Returns the content of a file, or all of its errors. */
function checkScenario(root: YamlNode): Checked<Scenario> {
  const inspector = new Inspector()
  const scenario = readRoot(inspector, { node: root, path: [], place: root })
  const problems = inspector.problems.list()
  return scenario && problems.length === 0
    ? { ok: true, value: scenario, warnings: [] }
    : { ok: false, problems }
}

const ROOT = [
  ...(['name', 'about', 'seed', 'versionControl', 'ci', 'appStore', 'googlePlay'] as const),
  ...(['tests', 'translations', 'crashes', 'users', 'moments'] as const),
]

function readRoot(inspector: Inspector, element: Element): Scenario | undefined {
  const fields = inspector.fields(element, ROOT)
  if (!fields) return undefined
  const text = (each: Element) => inspector.text(each)
  const name = inspector.required(element, 'name', fields.name, text)
  const about = inspector.optional(fields.about, text) ?? null
  const seed = inspector.optional(fields.seed, (each) => inspector.text(each, 100)) ?? null
  const { settings: ci, workflows } = readCi(inspector, fields.ci)
  const appStore = readAppStore(inspector, fields.appStore)
  const googlePlay = readGooglePlay(inspector, fields.googlePlay)
  const daily = readUsers(inspector, fields.users)
  const versionControl = readVersionControl(inspector, fields.versionControl)
  const tests = readTests(inspector, fields.tests)
  const translations = readTranslations(inspector, fields.translations)
  const crashes = readCrashes(inspector, fields.crashes)
  const moments = readMoments(inspector, fields.moments)
  if (name === undefined) return undefined
  return {
    ...{ name, about, seed, versionControl, ci, workflows, appStore, googlePlay, tests },
    ...{ translations, crashes, users: { daily }, ...moments },
  }
}

/** Removes the settings that the file leaves out. */
function definedOnly<Settings extends object>(settings: Settings): Partial<Settings> {
  const known = Object.entries(settings).filter(
    ([, value]) => value !== undefined && value !== null
  )
  return Object.fromEntries(known) as Partial<Settings>
}

/** Returns readers for the fields of an optional part of the file. */
function part<Name extends string>(
  inspector: Inspector,
  element: Element | undefined,
  names: readonly Name[]
) {
  const fields: Fields<Name> = (element && inspector.fields(element, names)) ?? {}
  const read =
    <Value>(reader: (each: Element) => Value | undefined) =>
    (name: Name) =>
      inspector.optional(fields[name], reader) ?? undefined
  return {
    duration: read((each) => readDuration(inspector, each)),
    share: read((each) => readShare(inspector, each)),
    flag: read((each) => inspector.flag(each)),
    count: (name: Name, max: number) => read((each) => inspector.integer(each, 1, max))(name),
    choices: <Value extends string>(name: Name, values: readonly Value[]) =>
      read((each) =>
        inspector
          .items(each, 'words', MAX_VALUES)
          .flatMap((item) => inspector.choice(item, values) ?? [])
      )(name),
    texts: read((each) => inspector.texts(each, 'texts', MAX_VALUES)),
    names: (name: Name) =>
      read((each) =>
        inspector.entries(each, 'ids to names', MAX_VALUES).flatMap(({ key, value }) => {
          const text = inspector.text(value, 200)
          return text === undefined ? [] : [{ id: key, name: text }]
        })
      )(name),
  }
}

/** Maximum number of values in a list, such as the endings of runs. */
const MAX_VALUES = 50

function readCi(inspector: Inspector, element: Element | undefined) {
  const names = [
    'machines',
    'queue',
    'shortest',
    'longest',
    'failing',
    'endings',
    'workflows',
  ] as const
  const fields = part(inspector, element, names)
  const settings = definedOnly({
    machines: fields.count('machines', 1000),
    queueMs: fields.duration('queue'),
    leastMs: fields.duration('shortest'),
    mostMs: fields.duration('longest'),
    failing: fields.share('failing'),
    endings: fields.choices('endings', ['succeeded', 'failed']),
  })
  const { leastMs, mostMs } = settings
  if (element && leastMs !== undefined && mostMs !== undefined && mostMs < leastMs) {
    inspector.problems.add(element, 'wrong_order', 'longest must not be less than shortest')
  }
  return { settings, workflows: fields.names('workflows') ?? null }
}

function readAppStore(inspector: Inspector, element: Element | undefined) {
  const names = [
    ...(['processing', 'builds', 'stuck', 'invalid', 'undeclared', 'waiting', 'review'] as const),
    ...(['rejected', 'metadataRejected', 'verdicts', 'canceling', 'distributing'] as const),
    ...(['appearing', 'lag', 'betaWaiting', 'betaReview', 'betaRejected'] as const),
  ]
  const fields = part(inspector, element, names)
  return definedOnly({
    processingMs: fields.duration('processing'),
    fates: fields.choices('builds', ['valid', 'invalid', 'stuck']),
    stuck: fields.share('stuck'),
    invalid: fields.share('invalid'),
    undeclared: fields.share('undeclared'),
    waitingMs: fields.duration('waiting'),
    reviewMs: fields.duration('review'),
    rejected: fields.share('rejected'),
    metadataRejected: fields.share('metadataRejected'),
    verdicts: fields.choices('verdicts', ['approved', 'rejected', 'metadataRejected']),
    cancelingMs: fields.duration('canceling'),
    distributingMs: fields.duration('distributing'),
    appearingMs: fields.duration('appearing'),
    lagMs: fields.duration('lag'),
    betaWaitingMs: fields.duration('betaWaiting'),
    betaReviewMs: fields.duration('betaReview'),
    betaRejected: fields.share('betaRejected'),
  })
}

function readGooglePlay(inspector: Inspector, element: Element | undefined) {
  const names = [
    ...(['processing', 'editLife', 'review', 'testReview', 'rejected'] as const),
    ...(['verdicts', 'lag', 'sentByHand', 'managedPublishing'] as const),
  ]
  const fields = part(inspector, element, names)
  return definedOnly({
    processingMs: fields.duration('processing'),
    editLifeMs: fields.duration('editLife'),
    reviewMs: fields.duration('review'),
    testReviewMs: fields.duration('testReview'),
    rejected: fields.share('rejected'),
    verdicts: fields.choices('verdicts', ['approved', 'rejected']),
    lagMs: fields.duration('lag'),
    isSentByHand: fields.flag('sentByHand'),
    managedPublishing: fields.flag('managedPublishing'),
  })
}

function readVersionControl(inspector: Inspector, element: Element | undefined) {
  const names = ['checks', 'failingChecks', 'review', 'changesRequested', 'protected'] as const
  const fields = part(inspector, element, names)
  return definedOnly({
    checksMs: fields.duration('checks'),
    failingChecks: fields.share('failingChecks'),
    reviewMs: fields.duration('review'),
    changesRequested: fields.share('changesRequested'),
    protected: fields.texts('protected'),
  })
}

function readTests(inspector: Inspector, element: Element | undefined) {
  const names = ['cases', 'lasting', 'failed', 'blocked', 'byHand', 'retest'] as const
  const fields = part(inspector, element, names)
  return definedOnly({
    perRun: fields.count('cases', 10_000),
    lastingMs: fields.duration('lasting'),
    failed: fields.share('failed'),
    blocked: fields.share('blocked'),
    byHand: fields.share('byHand'),
    retestMs: fields.duration('retest'),
  })
}

function readTranslations(inspector: Inspector, element: Element | undefined) {
  return definedOnly({
    untranslated: part(inspector, element, ['untranslated']).texts('untranslated'),
  })
}

function readCrashes(inspector: Inspector, element: Element | undefined) {
  return definedOnly({ lagMs: part(inspector, element, ['lag']).duration('lag') })
}

function readUsers(inspector: Inspector, element: Element | undefined): number | null {
  return part(inspector, element, ['daily']).count('daily', 100_000_000) ?? null
}
