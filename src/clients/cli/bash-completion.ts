/**
 * The script by which bash completes. The one of the library needs the functions of the package bash-completion, and hands
 * what was typed to `eval`; this one needs bash 3.2 alone. Where the program knows nothing to offer, bash offers files.
 */
export const BASH_COMPLETION = `# bash completion for agentlink
_agentlink() {
  local typed=\${COMP_WORDS[COMP_CWORD]#=} word words=()
  # Bash takes --option=value for three words.
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    [[ $word == = ]] || words+=("$word")
  done
  COMPREPLY=()
  while IFS=$'\\t' read -r word _; do
    [[ $word == :* || $word != "$typed"* ]] || COMPREPLY+=("$word")
  done < <("\${COMP_WORDS[0]}" complete -- "\${words[@]}" "$typed" 2>/dev/null)
}
complete -o default -F _agentlink agentlink`
