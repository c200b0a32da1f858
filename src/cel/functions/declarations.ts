/**
 * The functions of Kubernetes 1.34, one per line: the name, then its overloads `arguments:result`, with a leading dot for member
 * functions. Single capitals are type parameters.
 */
const comparable = `bool,bool:bool int,int:bool int,double:bool int,uint:bool uint,uint:bool uint,double:bool uint,int:bool
 double,double:bool double,int:bool double,uint:bool string,string:bool bytes,bytes:bool timestamp,timestamp:bool duration,duration:bool`;

const ordered = ['int', 'uint', 'double', 'bool', 'duration', 'timestamp', 'string', 'bytes'];
const ofEach = (types: readonly string[], signature: string) => types.map((type) => signature.replaceAll('$', type)).join(' ');
const perZone = '.timestamp:int .timestamp,string:int';

const standard = `
!_ bool:bool
-_ double:double int:int
@in A,list(A):bool A,map(A,B):bool
@not_strictly_false bool:bool
_!=_ A,A:bool
_==_ A,A:bool
_%_ int,int:int uint,uint:uint
_&&_ bool,bool:bool
_||_ bool,bool:bool
_*_ double,double:double int,int:int uint,uint:uint
_/_ double,double:double int,int:int uint,uint:uint
_+_ bytes,bytes:bytes double,double:double duration,duration:duration duration,timestamp:timestamp timestamp,duration:timestamp
 int,int:int list(A),list(A):list(A) string,string:string uint,uint:uint
_-_ double,double:double duration,duration:duration int,int:int timestamp,duration:timestamp timestamp,timestamp:duration uint,uint:uint
_<=_ ${comparable}
_<_ ${comparable}
_>=_ ${comparable}
_>_ ${comparable}
_?_:_ bool,A,A:A
_[_] list(A),int:A map(A,B),A:B optional(list(V)),int:optional(V) optional(map(K,V)),K:optional(V)
bool bool:bool string:bool
bytes bytes:bytes string:bytes
contains .string,string:bool
double double:double int:double string:double uint:double
duration duration:duration int:duration string:duration
dyn A:dyn
endsWith .string,string:bool
getDate ${perZone}
getDayOfMonth ${perZone}
getDayOfWeek ${perZone}
getDayOfYear ${perZone}
getFullYear ${perZone}
getHours ${perZone} .duration:int
getMilliseconds ${perZone} .duration:int
getMinutes ${perZone} .duration:int
getMonth ${perZone}
getSeconds ${perZone} .duration:int
int int:int double:int duration:int string:int timestamp:int uint:int
matches string,string:bool .string,string:bool
size bytes:int .bytes:int list(A):int .list(A):int map(A,B):int .map(A,B):int string:int .string:int
startsWith .string,string:bool
string string:string bool:string bytes:string double:string duration:string int:string timestamp:string uint:string IP:string CIDR:string
timestamp timestamp:timestamp int:timestamp string:timestamp
type A:type(A)
uint uint:uint double:uint int:uint string:uint`;

const optional = `
_?._ dyn,string:optional(V)
_[?_] list(V),int:optional(V) optional(list(V)),int:optional(V) map(K,V),K:optional(V) optional(map(K,V)),K:optional(V)
first .list(V):optional(V)
last .list(V):optional(V)
hasValue .optional(V):bool
optional.none :optional(V)
optional.of V:optional(V)
optional.ofNonZeroValue V:optional(V)
optional.unwrap list(optional(V)):list(V)
or .optional(V),optional(V):optional(V)
orValue .optional(V),V:V
unwrapOpt .list(optional(V)):list(V)
value .optional(V):V`;

const strings = `
charAt .string,int:string
format .string,list(dyn):string
indexOf .string,string:int .string,string,int:int .list(A),A:int
join .list(string):string .list(string),string:string
lastIndexOf .string,string:int .string,string,int:int .list(A),A:int
lowerAscii .string:string
replace .string,string,string:string .string,string,string,int:string
split .string,string:list(string) .string,string,int:list(string)
strings.quote string:string
substring .string,int:string .string,int,int:string
trim .string:string
upperAscii .string:string
find .string,string:string
findAll .string,string:list(string) .string,string,int:list(string)`;

const collections = `
cel.@mapInsert map(K,V),K,V:map(K,V) map(K,V),map(K,V):map(K,V)
isSorted ${ofEach(ordered, '.list($):bool')}
max ${ofEach(ordered, '.list($):$')}
min ${ofEach(ordered, '.list($):$')}
sum .list(int):int .list(uint):uint .list(double):double .list(duration):duration
sets.contains list(T),list(T):bool
sets.equivalent list(T),list(T):bool
sets.intersects list(T),list(T):bool`;

const formatNames =
  'byte date datetime dns1035Label dns1035LabelPrefix dns1123Label dns1123LabelPrefix dns1123Subdomain dns1123SubdomainPrefix labelValue qualifiedName uri uuid';

const kubernetes = `
cidr string:CIDR
containsCIDR .CIDR,string:bool .CIDR,CIDR:bool
containsIP .CIDR,string:bool .CIDR,IP:bool
family .IP:int
ip string:IP .CIDR:IP
ip.isCanonical string:bool
isCIDR string:bool
isGlobalUnicast .IP:bool
isIP string:bool
isLinkLocalMulticast .IP:bool
isLinkLocalUnicast .IP:bool
isLoopback .IP:bool
isUnspecified .IP:bool
masked .CIDR:CIDR
prefixLength .CIDR:int
getEscapedPath .URL:string
getHost .URL:string
getHostname .URL:string
getPort .URL:string
getQuery .URL:map(string,list(string))
getScheme .URL:string
isURL string:bool
url string:URL
add .Quantity,Quantity:Quantity .Quantity,int:Quantity
asApproximateFloat .Quantity:double
asInteger .Quantity:int
compareTo .Quantity,Quantity:int .Semver,Semver:int
isGreaterThan .Quantity,Quantity:bool .Semver,Semver:bool
isInteger .Quantity:bool
isLessThan .Quantity,Quantity:bool .Semver,Semver:bool
isQuantity string:bool
quantity string:Quantity
sign Quantity:int
sub .Quantity,Quantity:Quantity .Quantity,int:Quantity
isSemver string:bool string,bool:bool
major .Semver:int
minor .Semver:int
patch .Semver:int
semver string:Semver string,bool:Semver
${formatNames
  .split(' ')
  .map((name) => `format.${name} :NamedFormat`)
  .join('\n')}
format.named string:optional(NamedFormat)
validate .NamedFormat,string:optional(list(string))
allowed .Decision:bool
check .PathCheck,string:Decision .ResourceCheck,string:Decision
error .Decision:string
errored .Decision:bool
fieldSelector .ResourceCheck,string:ResourceCheck
group .Authorizer,string:GroupCheck
labelSelector .ResourceCheck,string:ResourceCheck
name .ResourceCheck,string:ResourceCheck
namespace .ResourceCheck,string:ResourceCheck
path .Authorizer,string:PathCheck
reason .Decision:string
resource .GroupCheck,string:ResourceCheck
serviceAccount .Authorizer,string,string:Authorizer
subresource .ResourceCheck,string:ResourceCheck`;

/** Only in stored expressions: new ones are limited to the functions of the previous release (1.33). */
const lists = `
@sortByAssociatedKeys ${ofEach(ordered, '.list(T),list($):list(T)')}
distinct .list(T):list(T)
flatten .list(list(T)):list(T) .list(dyn),int:list(dyn)
lists.range int:list(int)
reverse .list(T):list(T)
slice .list(T),int,int:list(T)
sort ${ofEach(ordered, '.list($):list($)')}`;

/** Only in patches (MutatingAdmissionPolicy). */
const patches = 'jsonpatch.escapeKey string:string';

export const declarations: Readonly<Record<'base' | 'lists' | 'patches', string>> = {
  base: `${standard}${optional}${strings}${collections}${kubernetes}`,
  lists,
  patches,
};
