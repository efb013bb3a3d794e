import type { Command } from 'commander'
import { EXIT, Failure } from './exit_codes.js'

/** The words that may follow, by those before. */
function wordsOf(command: Command, before = ''): [before: string, words: string][] {
  const words = [
    ...command.commands.map((each) => each.name()),
    ...command.options.flatMap(({ long }) => long ?? []),
  ]
  return [
    [before, words.join(' ')],
    ...command.commands.flatMap((each) => wordsOf(each, `${before} ${each.name()}`.trim())),
  ]
}

const cases = (program: Command, line: (before: string, words: string) => string) =>
  wordsOf(program)
    .map(([before, words]) => line(before, words))
    .join('\n')

/** A function that finds the commands of a line, and the words that may follow. */
const inShell = (program: Command) => `_tarmac_words() {
  local before="" each
  for each in "$@"; do case "$each" in -*) ;; *) before="\${before:+$before }$each" ;; esac; done
  while :; do
    case "$before" in
${cases(program, (before, words) => `      '${before}') echo '${words}'; return ;;`)}
    esac
    case "$before" in *' '*) before="\${before% *}" ;; *) before="" ;; esac
  done
}`

const SCRIPTS: Readonly<Record<string, (program: Command) => string>> = {
  bash: (program) => `${inShell(program)}
_tarmac() {
  COMPREPLY=($(compgen -W "$(_tarmac_words "\${COMP_WORDS[@]:1:COMP_CWORD-1}")" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _tarmac tarmac`,
  zsh: (program) => `#compdef tarmac
${inShell(program)}
_tarmac() { compadd -- \${=$(_tarmac_words "\${(@)words[2,CURRENT-1]}")} || _files }
compdef _tarmac tarmac`,
  fish: (program) =>
    cases(program, (before, words) => {
      const seen =
        before === ''
          ? '__fish_use_subcommand'
          : `__fish_seen_subcommand_from ${before.split(' ').at(-1)}`
      return `complete -c tarmac -n '${seen}' -a '${words}'`
    }),
}

/** Returns the script of a shell that completes commands and options. */
export function completionOf(program: Command, shell: string): string {
  const script = SCRIPTS[shell]
  if (script) return script(program)
  throw new Failure(EXIT.usage, `Completion is for ${Object.keys(SCRIPTS).join(', ')}.`)
}
