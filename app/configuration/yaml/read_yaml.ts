import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type LineCounter,
  type ParsedNode,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml'
// Also loaded by a bare worker thread, where only the real file name resolves.
import { clipped, nestingMessage, parseYaml, valuesMessage } from './parse_yaml.ts'
import { YAML_LIMITS } from './tree.ts'
import type { MapEntry, Place, YamlNode, YamlProblem, YamlProblemCode, YamlResult } from './tree.ts'

/**
 * Reads one YAML 1.2 core document into a tree with lines and columns. Refuses duplicate keys,
 * custom tags and further documents. It is synchronous and costly on hostile input: callers outside
 * a worker thread use `YamlReader`.
 */
export function readYaml(text: string): YamlResult {
  const lines = countLines(text)
  if (lines > YAML_LIMITS.lines) {
    return refusal(
      'yaml_size_limit',
      `The file has ${lines} lines, ${YAML_LIMITS.lines} are allowed`
    )
  }
  const { contents, lineCounter, problems } = parseYaml(text)
  if (problems.length === 0) return new TreeBuilder(lineCounter).build(contents)
  return { ok: false, problems: [...problems, ...moreProblems(contents, lineCounter, problems)] }
}

/** Returns problems other than syntax errors, as far as the file could be read. */
function moreProblems(
  contents: ParsedNode | null,
  lineCounter: LineCounter,
  problems: readonly YamlProblem[]
): YamlProblem[] {
  if (contents === null) return []
  const built = new TreeBuilder(lineCounter).build(contents)
  if (built.ok) return []
  const reported = new Set(problems.map(({ code }) => code))
  const further = built.problems.filter(
    ({ code }) => code === 'yaml_duplicate_key' || !reported.has(code)
  )
  return further.slice(0, YAML_LIMITS.problems - problems.length)
}

function countLines(text: string): number {
  let lines = 1
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines += 1
  return lines
}

function refusal(code: YamlProblemCode, message: string): YamlResult {
  return { ok: false, problems: [{ code, message, path: [], line: 1, column: 1 }] }
}

const CORE_TAGS: ReadonlySet<string> = new Set(
  ['str', 'int', 'float', 'bool', 'null', 'map', 'seq'].map((tag) => `tag:yaml.org,2002:${tag}`)
)
const FORBIDDEN_KEYS: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])

/** A finished part of the tree, with its cost once every alias in it is expanded. */
interface Built {
  node: YamlNode
  nodes: number
  aliasUses: number
  levels: number
}

class Refused extends Error {}

class TreeBuilder {
  readonly #lineCounter: LineCounter
  readonly #problems: YamlProblem[] = []
  /** The current path of the builder. */
  readonly #path: (string | number)[] = []
  readonly #anchors: Map<string, Built | null> = new Map()

  constructor(lineCounter: LineCounter) {
    this.#lineCounter = lineCounter
  }

  build(contents: ParsedNode | null): YamlResult {
    try {
      const { node } = this.#node(contents, { line: 1, column: 1 }, 1)
      if (this.#problems.length === 0) return { ok: true, root: node }
    } catch (error) {
      if (!(error instanceof Refused)) throw error
    }
    return { ok: false, problems: this.#problems }
  }

  #node(node: ParsedNode | null, fallback: Place, level: number): Built {
    const place = node ? this.#place(node.range[0]) : fallback
    if (isAlias(node)) return this.#alias(node.source, place, level)
    const anchor = node?.anchor
    if (anchor) this.#anchors.set(anchor, null)
    if (node?.tag && !CORE_TAGS.has(node.tag)) {
      this.#report('yaml_custom_tag', `The tag ${node.tag} is not used here`, place)
    }
    const built = this.#content(node, place, level)
    if (anchor) this.#anchors.set(anchor, built)
    return built
  }

  #content(node: ParsedNode | null, place: Place, level: number): Built {
    if (isMap(node)) return this.#collection(this.#entries(node, place, level), place, 'map')
    if (isSeq(node)) return this.#collection(this.#items(node, place, level), place, 'list')
    const value: unknown = isScalar(node) ? node.value : null
    const source = isScalar(node) ? (node.source ?? String(value ?? '')) : ''
    return {
      node: { kind: 'scalar', value: plainValue(value, source), source, ...place },
      nodes: 1,
      aliasUses: 0,
      levels: 0,
    }
  }

  #entries(map: YAMLMap, place: Place, level: number): { key?: MapEntry; built: Built }[] {
    this.#checkLevel(level, place)
    const seen = new Set<string>()
    return (map as YAMLMap<ParsedNode | null, ParsedNode | null>).items.map((pair) => {
      const at = pair.key?.range ? this.#place(pair.key.range[0]) : place
      const key = this.#key(pair.key, at)
      return this.#within(key ?? '', () => {
        if (key !== null && seen.has(key)) {
          this.#report('yaml_duplicate_key', `The key ${shown(key)} is given twice`, at)
        }
        if (key !== null) seen.add(key)
        const built = this.#node(pair.value, at, level + 1)
        return { key: { key: key ?? '', value: built.node, ...at }, built }
      })
    })
  }

  #items(list: YAMLSeq, place: Place, level: number): { key?: MapEntry; built: Built }[] {
    this.#checkLevel(level, place)
    const items = list.items as (ParsedNode | null)[]
    return items.map((item, index) =>
      this.#within(index, () => ({ built: this.#node(item, place, level + 1) }))
    )
  }

  #within<Result>(segment: string | number, build: () => Result): Result {
    this.#path.push(segment)
    const result = build()
    this.#path.pop()
    return result
  }

  #collection(
    parts: { key?: MapEntry; built: Built }[],
    place: Place,
    kind: 'map' | 'list'
  ): Built {
    const all = parts.map((part) => part.built)
    const node: YamlNode =
      kind === 'map'
        ? { kind, entries: parts.flatMap((part) => part.key ?? []), ...place }
        : { kind, items: all.map((part) => part.node), ...place }
    const nodes = all.reduce((sum, part) => sum + part.nodes, 1)
    if (nodes > YAML_LIMITS.nodes) {
      this.#refuse('yaml_size_limit', valuesMessage(), place)
    }
    return {
      node,
      nodes,
      aliasUses: all.reduce((sum, part) => sum + part.aliasUses, 0),
      levels: all.reduce((most, part) => Math.max(most, part.levels), 0) + 1,
    }
  }

  #aliasUses = 0

  /**
   * Resolves an alias. It shares the tree it refers to, so a chain of aliases costs no more than
   * what is counted.
   */
  #alias(name: string, place: Place, level: number): Built {
    const target = this.#anchors.get(name)
    if (target === undefined) {
      this.#report('yaml_syntax', `The alias *${name} has no anchor before it`, place)
      return this.#content(null, place, level)
    }
    if (target === null) {
      this.#refuse(
        'yaml_alias_limit',
        `The alias *${name} is inside the node that it refers to`,
        place
      )
    }
    this.#aliasUses += 1 + target.aliasUses
    if (this.#aliasUses > YAML_LIMITS.aliasUses) {
      const message = `Aliases are used more than ${YAML_LIMITS.aliasUses} times, counted as expanded`
      this.#refuse('yaml_alias_limit', message, place)
    }
    if (target.levels > 0) this.#checkLevel(level + target.levels - 1, place)
    return { ...target, node: { ...target.node, ...place }, aliasUses: target.aliasUses + 1 }
  }

  /** Returns a key, or null for an invalid one. */
  #key(node: ParsedNode | null, place: Place): string | null {
    if (!isScalar(node) || node.value === null) {
      this.#report('yaml_key_not_text', 'A key has to be plain text', place)
      return null
    }
    if (node.tag && !CORE_TAGS.has(node.tag)) {
      this.#report('yaml_custom_tag', `The tag ${node.tag} is not used here`, place)
    }
    if (node.anchor) {
      this.#report('yaml_key_not_text', 'A key cannot have an anchor', place)
      return null
    }
    const value: unknown = node.value
    const key = typeof value === 'string' ? value : (node.source ?? String(value))
    if (FORBIDDEN_KEYS.has(key)) {
      this.#report('yaml_forbidden_key', `The key ${key} cannot be used`, place)
    }
    return key
  }

  #checkLevel(level: number, place: Place): void {
    if (level > YAML_LIMITS.nesting) this.#refuse('yaml_nesting_limit', nestingMessage(), place)
  }

  #place(offset: number): Place {
    const { line, col } = this.#lineCounter.linePos(offset)
    return { line: Math.max(line, 1), column: Math.max(col, 1) }
  }

  #report(code: YamlProblemCode, message: string, place: Place): void {
    if (this.#problems.length < YAML_LIMITS.problems) {
      const { line, column } = place
      this.#problems.push({ code, message: clipped(message), path: [...this.#path], line, column })
    }
  }

  /** Reports a problem that makes further reading pointless. */
  #refuse(code: YamlProblemCode, message: string, place: Place): never {
    this.#report(code, message, place)
    throw new Refused(message)
  }
}

function plainValue(value: unknown, source: string): string | number | boolean | null {
  const plain = ['string', 'number', 'boolean'].includes(typeof value) || value === null
  return plain ? (value as string | number | boolean | null) : source
}

const MAX_SHOWN = 60

function shown(key: string): string {
  return JSON.stringify(key.length > MAX_SHOWN ? `${key.slice(0, MAX_SHOWN)}…` : key)
}
