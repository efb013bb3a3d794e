/** A position in the file. Both count from 1. */
export interface Place {
  line: number
  column: number
}

export interface MapEntry extends Place {
  key: string
  value: YamlNode
}

export interface MapNode extends Place {
  kind: 'map'
  entries: MapEntry[]
}

interface ListNode extends Place {
  kind: 'list'
  items: YamlNode[]
}

interface ScalarNode extends Place {
  kind: 'scalar'
  value: string | number | boolean | null
  /** The value as written: `1.10` stays `1.10` where text is expected. */
  source: string
}

export type YamlNode = MapNode | ListNode | ScalarNode

export type YamlProblemCode =
  | 'yaml_syntax'
  | 'yaml_encoding'
  | 'yaml_version'
  | 'yaml_several_documents'
  | 'yaml_duplicate_key'
  | 'yaml_key_not_text'
  | 'yaml_forbidden_key'
  | 'yaml_custom_tag'
  | 'yaml_alias_limit'
  | 'yaml_nesting_limit'
  | 'yaml_size_limit'
  | 'yaml_too_costly'

/** The reason why a file is not readable as YAML at all. The response is 400. */
export interface YamlProblem extends Place {
  code: YamlProblemCode
  message: string
  /** The path of the innermost value around it, as far as the file could be read. */
  path: (string | number)[]
}

export type YamlResult = { ok: true; root: YamlNode } | { ok: false; problems: YamlProblem[] }

/** Limits of a file. `lines` and `nodes` bound the work that follows reading. */
export const YAML_LIMITS = {
  bytes: 128 * 1024,
  nesting: 32,
  aliasUses: 50,
  lines: 20_000,
  nodes: 20_000,
  problems: 100,
} as const
