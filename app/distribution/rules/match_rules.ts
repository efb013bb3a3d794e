import { compileGlob } from '#apps/patterns/glob'
import { compilePattern } from '#apps/patterns/pattern'
import type { BranchSettings } from '#apps/settings'
import { storeKindOf, type AppPlatform, type StoreKind } from '#apps/vocabulary'
import { yieldToOthers } from '#foundation/core/yielding'
import type { BucketRule } from '../settings.js'

/** A build as rules look at it. */
interface RuledBuild {
  branch: string
  /** Target branch of the pull request that was built; null for a build of a branch. */
  baseBranch: string | null
  workflowId: string
  workflowName: string
}

/** An app as rules look at it. */
interface RuledApp {
  platform: AppPlatform
  branchSettings: readonly BranchSettings[]
}

/** The file names that a rule without file filters accepts. */
const OF_STORE: Record<StoreKind, readonly string[]> = {
  apple: ['*.ipa'],
  google: ['*.apk'],
  ota: ['*'],
}

/** A rule that takes a build, and those of its files that it asks for, in their order. */
interface RuleMatch<Rule, File> {
  rule: Rule
  files: File[]
}

/**
 * The first rule that takes a build with a file it asks for; null when none does. A `Branch` rule
 * takes builds of a branch, a `PR` rule those of pull requests onto one: a build is of one kind.
 */
export async function matchRules<Rule extends BucketRule, File extends { fileName: string }>(
  rules: readonly Rule[],
  app: RuledApp,
  build: RuledBuild,
  files: readonly File[]
): Promise<RuleMatch<Rule, File> | null> {
  for (const rule of rules) {
    await yieldToOthers()
    if (!takesBuild(rule, app, build)) continue
    const wanted = await wantedFiles(rule, app, files)
    if (wanted.length > 0) return { rule, files: wanted }
  }
  return null
}

/** Those of some files that a rule asks for. */
async function wantedFiles<File extends { fileName: string }>(
  { fileFilterPatterns: own }: BucketRule,
  { platform }: RuledApp,
  files: readonly File[]
): Promise<File[]> {
  const filters = (own.length > 0 ? own : OF_STORE[storeKindOf(platform)]).map(compileGlob)
  const wanted: File[] = []
  for (const file of files) {
    await yieldToOthers()
    if (filters.some((takes) => takes(file.fileName))) wanted.push(file)
  }
  return wanted
}

/** Returns whether a rule accepts a build, whatever its files are. */
export const takesBuild = (rule: BucketRule, app: RuledApp, build: RuledBuild): boolean =>
  takesWorkflow(rule, build) && takesBranch(rule, app, build)

function takesWorkflow({ workflow }: BucketRule, { workflowId, workflowName }: RuledBuild) {
  return workflow === null || workflow === workflowId || workflow === workflowName
}

function takesBranch(rule: BucketRule, app: RuledApp, { branch, baseBranch }: RuledBuild): boolean {
  if ((rule.type === 'PR') !== (baseBranch !== null)) return false
  const [pattern, name] = rule.type === 'PR' ? [rule.baseBranch, baseBranch] : [rule.branch, branch]
  if (pattern === null || name === null) return false
  const match = compilePattern(pattern, 'bucketBranch').match(name)
  if (!match) return false
  const { workingBranchName: working, releaseBranchName: release } = match.texts
  return (
    (working === undefined || isWorkingBranch(app, working)) &&
    (release === undefined || isReleaseBranch(app, release))
  )
}

const isWorkingBranch = ({ branchSettings }: RuledApp, name: string) =>
  branchSettings.some(({ workingBranch }) => workingBranch === name)

const isReleaseBranch = ({ branchSettings }: RuledApp, name: string) =>
  releaseBranchesOf(branchSettings).some((pattern) => pattern.match(name) !== null)

const compiled = new WeakMap<readonly BranchSettings[], ReturnType<typeof compilePattern>[]>()

/** The patterns of release branches; many rules ask for those of one app. */
function releaseBranchesOf(settings: readonly BranchSettings[]) {
  const known = compiled.get(settings)
  if (known) return known
  const patterns = settings.flatMap(({ allPattern, hotfixPattern }) =>
    [allPattern, hotfixPattern].flatMap((each) => (each === null ? [] : compilePattern(each)))
  )
  compiled.set(settings, patterns)
  return patterns
}
