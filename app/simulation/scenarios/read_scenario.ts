import { Inspector, type Fields, type Element } from '#configuration/checks/inspector'
import type { Checked } from '#configuration/checks/check_configuration'
import { demandValid, readConfigurationFile } from '#configuration/read_configuration_file'
import type { YamlNode } from '#configuration/yaml/tree'
import type { RawBody } from '#foundation/api/operation/declaration'
import { fromBox, namesInBox } from './box.js'
import { readMoments } from './read_moments.js'
import { readDuration, readShare } from './read_values.js'
import type { Scenario } from './scenario.js'

/*
 * A scenario file is read as a configuration file is: all its errors are listed, with line and
 * column.
 */

/** A file as it is sent, or the bare name of one in the box. @throws what `readScenario` throws */
export async function readSentScenario({ bytes }: Pick<RawBody, 'bytes'>): Promise<Scenario> {
  const name = bytes.length <= LONGEST_NAME ? String(bytes).trim() : ''
  const known = await fromBox(name)
  if (known) return readScenario(known)
  if (!BARE_NAME.test(name)) return readScenario(bytes)
  const message = `"${name}" is none of the box: ${(await namesInBox()).join(', ')}`
  const problem = {
    path: '',
    pointer: '',
    line: 1,
    column: 1,
    code: 'unknown_value' as const,
    message,
  }
  return demandValid<Scenario>({ ok: false, problems: [problem] }, CALLED).value
}

const CALLED = 'The scenario'

/** Matches a bare name, which cannot be the text of a file: that has at least a key. */
const BARE_NAME = /^[\w.-]+$/

/** Bytes of the name of a scenario in the box. */
const LONGEST_NAME = 100

/** @throws too_large, malformed_yaml, invalid_configuration */
export async function readScenario(bytes: Uint8Array): Promise<Scenario> {
  const root = await readConfigurationFile({ bytes: Buffer.from(bytes) })
  return demandValid(checkScenario(root), CALLED).value
}

/** Returns the content of a file, or all of its faults. */
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

/** The settings that a file gives, without those it does not. */
function given<Settings extends object>(settings: Settings): Partial<Settings> {
  const known = Object.entries(settings).filter(
    ([, value]) => value !== undefined && value !== null
  )
  return Object.fromEntries(known) as Partial<Settings>
}

/** The fields of a part that may be left out, with readers of their values. */
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
    count: (name: Name, most: number) => read((each) => inspector.integer(each, 1, most))(name),
    choices: <Value extends string>(name: Name, values: readonly Value[]) =>
      read((each) =>
        inspector
          .items(each, 'words', MOST_SAID)
          .flatMap((item) => inspector.choice(item, values) ?? [])
      )(name),
    texts: read((each) => inspector.texts(each, 'texts', MOST_SAID)),
    names: (name: Name) =>
      read((each) =>
        inspector.entries(each, 'ids to names', MOST_SAID).flatMap(({ key, value }) => {
          const called = inspector.text(value, 200)
          return called === undefined ? [] : [{ id: key, name: called }]
        })
      )(name),
  }
}

/** Maximum number of configured runs, builds and submissions. */
const MOST_SAID = 50

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
  const of = part(inspector, element, names)
  const settings = given({
    machines: of.count('machines', 1000),
    queueMs: of.duration('queue'),
    leastMs: of.duration('shortest'),
    mostMs: of.duration('longest'),
    failing: of.share('failing'),
    endings: of.choices('endings', ['succeeded', 'failed']),
  })
  const { leastMs, mostMs } = settings
  if (element && leastMs !== undefined && mostMs !== undefined && mostMs < leastMs) {
    inspector.problems.add(element, 'wrong_order', 'longest must not be less than shortest')
  }
  return { settings, workflows: of.names('workflows') ?? null }
}

function readAppStore(inspector: Inspector, element: Element | undefined) {
  const names = [
    ...(['processing', 'builds', 'stuck', 'invalid', 'undeclared', 'waiting', 'review'] as const),
    ...(['rejected', 'metadataRejected', 'verdicts', 'canceling', 'distributing'] as const),
    ...(['appearing', 'lag', 'betaWaiting', 'betaReview', 'betaRejected'] as const),
  ]
  const of = part(inspector, element, names)
  return given({
    processingMs: of.duration('processing'),
    fates: of.choices('builds', ['valid', 'invalid', 'stuck']),
    stuck: of.share('stuck'),
    invalid: of.share('invalid'),
    undeclared: of.share('undeclared'),
    waitingMs: of.duration('waiting'),
    reviewMs: of.duration('review'),
    rejected: of.share('rejected'),
    metadataRejected: of.share('metadataRejected'),
    verdicts: of.choices('verdicts', ['approved', 'rejected', 'metadataRejected']),
    cancelingMs: of.duration('canceling'),
    distributingMs: of.duration('distributing'),
    appearingMs: of.duration('appearing'),
    lagMs: of.duration('lag'),
    betaWaitingMs: of.duration('betaWaiting'),
    betaReviewMs: of.duration('betaReview'),
    betaRejected: of.share('betaRejected'),
  })
}

function readGooglePlay(inspector: Inspector, element: Element | undefined) {
  const names = [
    ...(['processing', 'editLife', 'review', 'testReview', 'rejected'] as const),
    ...(['verdicts', 'lag', 'sentByHand', 'managedPublishing'] as const),
  ]
  const of = part(inspector, element, names)
  return given({
    processingMs: of.duration('processing'),
    editLifeMs: of.duration('editLife'),
    reviewMs: of.duration('review'),
    testReviewMs: of.duration('testReview'),
    rejected: of.share('rejected'),
    verdicts: of.choices('verdicts', ['approved', 'rejected']),
    lagMs: of.duration('lag'),
    isSentByHand: of.flag('sentByHand'),
    managedPublishing: of.flag('managedPublishing'),
  })
}

function readVersionControl(inspector: Inspector, element: Element | undefined) {
  const names = ['checks', 'failingChecks', 'review', 'changesRequested', 'protected'] as const
  const of = part(inspector, element, names)
  return given({
    checksMs: of.duration('checks'),
    failingChecks: of.share('failingChecks'),
    reviewMs: of.duration('review'),
    changesRequested: of.share('changesRequested'),
    protected: of.texts('protected'),
  })
}

function readTests(inspector: Inspector, element: Element | undefined) {
  const names = ['cases', 'lasting', 'failed', 'blocked', 'byHand', 'retest'] as const
  const of = part(inspector, element, names)
  return given({
    perRun: of.count('cases', 10_000),
    lastingMs: of.duration('lasting'),
    failed: of.share('failed'),
    blocked: of.share('blocked'),
    byHand: of.share('byHand'),
    retestMs: of.duration('retest'),
  })
}

function readTranslations(inspector: Inspector, element: Element | undefined) {
  return given({ untranslated: part(inspector, element, ['untranslated']).texts('untranslated') })
}

function readCrashes(inspector: Inspector, element: Element | undefined) {
  return given({ lagMs: part(inspector, element, ['lag']).duration('lag') })
}

function readUsers(inspector: Inspector, element: Element | undefined): number | null {
  return part(inspector, element, ['daily']).count('daily', 100_000_000) ?? null
}
