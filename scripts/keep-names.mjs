/** What esbuild's option `keepNames` calls for each function and class, minified. */
const HELPER = /([\w$]+)=\(([\w$]+),([\w$]+)\)=>([\w$]+)\(\2,"name",\{value:\3,configurable:!0\}\)/g

/**
 * Keeps the names of classes and of declared functions, which get their names when a module is loaded. An arrow function gets its name each time that it
 * is created: that took a tenth of a busy peer's time. Arrow functions have no prototype.
 *
 * @param code - minified by esbuild with `keepNames`
 */
export function withoutNamesOfArrows(code) {
  return code.replace(HELPER, '$1=($2,$3)=>$2.prototype?$4($2,"name",{value:$3,configurable:!0}):$2')
}
