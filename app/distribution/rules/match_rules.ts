import { compileGlob } from '#apps/patterns/glob'
import { compilePattern } from '#apps/patterns/pattern'
import type { BranchSettings } from '#apps/settings'
import { storeKindOf, type AppPlatform, type StoreKind } from '#apps/vocabulary'
import { yieldToOthers } from '#foundation/core/yielding'
import type { BucketRule } from '../settings.js'

/** The properties of a build that rules check. */
interface RuledBuild {
  branch: string
  /** Target branch of the pull request that was built; null for a build of a branch. */
  baseBranch: string | null
  workflowId: string
  workflowName: string
}

/** The properties of an app that rules check. */
interface RuledApp {
  platform: AppPlatform
  branchSettings: readonly BranchSettings[]
}

/** The file names that a rule without file filters accepts. */
const STORE_FILES: Record<StoreKind, readonly string[]> = {
  apple: ['*.ipa'],
  google: ['*.apk'],
  ota: ['*'],
}

/** A rule that accepts a build, with the files that it asks for, in their order. */
interface RuleMatch<Rule, File> {
  rule: Rule
  files: File[]
}

/**
 * Returns the first rule that accepts a build and at least one of its files; null if there is none.
 * A `Branch` rule accepts builds of a branch, a `PR` rule builds of pull requests onto a branch.
 */
export async function matchRules<Rule extends BucketRule, File extends { fileName: string }>(
  rules: readonly Rule[],
  app: RuledApp,
  build: RuledBuild,
  files: readonly File[]
): Promise<RuleMatch<Rule, File> | null> {
  for (const rule of rules) {
    await yieldToOthers()
    if (!acceptsBuild(rule, app, build)) continue
    const wanted = await wantedFiles(rule, app, files)
    if (wanted.length > 0) return { rule, files: wanted }
  }
  return null
}

/** Returns the files that a rule asks for. */
async function wantedFiles<File extends { fileName: string }>(
  { fileFilterPatterns: own }: BucketRule,
  { platform }: RuledApp,
  files: readonly File[]
): Promise<File[]> {
  const filters = (own.length > 0 ? own : STORE_FILES[storeKindOf(platform)]).map(compileGlob)
  const wanted: File[] = []
  for (const file of files) {
    await yieldToOthers()
    if (filters.some((takes) => takes(file.fileName))) wanted.push(file)
  }
  return wanted
}

/** Returns whether a rule accepts a build, whatever its files are. */
export const acceptsBuild = (rule: BucketRule, app: RuledApp, build: RuledBuild): boolean =>
  acceptsWorkflow(rule, build) && acceptsBranch(rule, app, build)

function acceptsWorkflow({ workflow }: BucketRule, { workflowId, workflowName }: RuledBuild) {
  return workflow === null || workflow === workflowId || workflow === workflowName
}

function acceptsBranch(
  rule: BucketRule,
  app: RuledApp,
  { branch, baseBranch }: RuledBuild
): boolean {
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

/** Returns the patterns of release branches; cached, as an app has many rules. */
function releaseBranchesOf(settings: readonly BranchSettings[]) {
  const known = compiled.get(settings)
  if (known) return known
  const patterns = settings.flatMap(({ allPattern, hotfixPattern }) =>
    [allPattern, hotfixPattern].flatMap((each) => (each === null ? [] : compilePattern(each)))
  )
  compiled.set(settings, patterns)
  return patterns
}
