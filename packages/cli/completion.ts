import type { Command } from 'commander'
import { EXIT, Failure } from './exit_codes.js'

/** The possible continuations after a command: its subcommands and options. */
interface Place {
  before: string
  commands: string
  options: string
}

/** The values of an option with fixed choices. */
interface Choice {
  before: string
  option: string
  values: string
}

const flagsOf = ({ options }: Command) => options.flatMap(({ long }) => long ?? [])

/** Returns a command and all below it, each with the words that lead to it. */
function walk(command: Command, before = ''): [before: string, command: Command][] {
  const below = command.commands.flatMap((each) => walk(each, `${before} ${each.name()}`.trim()))
  return [[before, command], ...below]
}

function placesIn(program: Command): Place[] {
  return walk(program).map(([before, command]) => ({
    before,
    commands: command.commands.map((each) => each.name()).join(' '),
    options: [...new Set([...flagsOf(command), ...flagsOf(program), '--help'])].join(' '),
  }))
}

const choicesIn = (program: Command): Choice[] =>
  walk(program).flatMap(([before, { options }]) =>
    options.flatMap(({ long, argChoices }) =>
      long && argChoices ? [{ before, option: long, values: argChoices.join(' ') }] : []
    )
  )

/** Returns the options whose value is the next word. */
const withValue = (program: Command): string[] => [
  ...new Set(
    walk(program).flatMap(([, { options }]) =>
      options
        .filter(({ required, optional }) => required || optional)
        .flatMap(({ short, long }) => [short, long].filter((each) => each !== undefined))
    )
  ),
]

const lines = <Each>(all: Each[], line: (each: Each) => string) => all.map(line).join('\n')

/** Returns a function of bash and zsh that takes the word at the cursor and those before it. */
function inShell(program: Command): string {
  const valued = withValue(program).join('|')
  return `_tarmac_words() {
  local current="$1" before="" last="" each
  shift
  for each in "$@"; do
    case "$last" in ${valued}) last=""; continue ;; esac
    last="$each"
    case "$each" in -*) ;; *) before="\${before:+$before }$each" ;; esac
  done
  case "$before $last" in
${lines(choicesIn(program), ({ before, option, values }) => `    '${before}'*' ${option}') echo '${values}'; return ;;`)}
  esac
  case "$last" in ${valued}) return ;; esac
  while :; do
    case "$before" in
${lines(placesIn(program), ({ before, commands, options }) => `      '${before}') case "$current" in -*) echo '${options}' ;; *) echo '${commands}' ;; esac; return ;;`)}
    esac
    case "$before" in *' '*) before="\${before% *}" ;; *) before="" ;; esac
  done
}`
}

/** Returns the same function for fish, which provides the words itself. */
function inFish(program: Command): string {
  const valued = withValue(program).join(' ')
  return `function __tarmac_words
  set -l before
  set -l last ''
  set -l each (commandline -opc)
  for each in $each[2..]
    if contains -- "$last" ${valued}
      set last ''
      continue
    end
    set last $each
    string match -q -- '-*' $each; or set -a before $each
  end
  switch "$before $last"
${lines(choicesIn(program), ({ before, option, values }) => `    case '${before}* ${option}'\n      string split ' ' '${values}'\n      return`)}
  end
  contains -- "$last" ${valued}; and return
  while true
    switch "$before"
${lines(placesIn(program), ({ before, commands, options }) => `      case '${before}'\n        string match -q -- '-*' (commandline -ct); and string split ' ' -- '${options}'; or string split -n ' ' '${commands}'\n        return`)}
    end
    set -e before[-1]
  end
end
complete -c tarmac -f -n 'count (__tarmac_words) >/dev/null' -a '(__tarmac_words)'`
}

const SCRIPTS: Readonly<Record<string, (program: Command) => string>> = {
  bash: (program) => `${inShell(program)}
_tarmac() {
  local current="\${COMP_WORDS[COMP_CWORD]}"
  COMPREPLY=($(compgen -W "$(_tarmac_words "$current" "\${COMP_WORDS[@]:1:COMP_CWORD-1}")" -- "$current"))
}
complete -o default -F _tarmac tarmac`,
  // If sourced, the script registers the function; as a file in $fpath, zsh runs it at the first
  // completion.
  zsh: (program) => `#compdef tarmac
${inShell(program)}
_tarmac() {
  compadd -- \${=$(_tarmac_words "$words[CURRENT]" "\${(@)words[2,CURRENT-1]}")} || _files
}
if [ "\${funcstack[1]}" = _tarmac ]; then _tarmac; else compdef _tarmac tarmac; fi`,
  fish: inFish,
}

/** Returns the script that completes commands and options in a shell. */
export function completionOf(program: Command, shell: string): string {
  const script = SCRIPTS[shell]
  if (script) return script(program)
  throw new Failure(EXIT.usage, `Completion is for ${Object.keys(SCRIPTS).join(', ')}.`)
}
